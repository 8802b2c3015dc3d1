/* Serves the files of a folder, to one client at a time. A command is a letter, a blank and a name:
   g reads a file, p writes one, d deletes it, m renames it to "last", q ends the connection. */
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <stdio.h>

#define LINE 64

static int send_file(int client, const char *name)
{
    char block[LINE];
    ssize_t count;
    int file = open(name, O_RDONLY);

    if (file < 0)
        return -1;
    while ((count = read(file, block, sizeof block)) > 0)
        write(client, block, (size_t)count);
    close(file);
    return 0;
}

static int receive_file(int client, const char *name)
{
    char block[LINE];
    ssize_t count;
    int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);

    if (file < 0)
        return -1;
    if ((count = read(client, block, sizeof block)) > 0) {
        write(file, block, (size_t)count);
        fsync(file);
    }
    close(file);
    return 0;
}

static void serve(int client)
{
    char line[LINE];

    for (;;) {
        int done;
        ssize_t count = read(client, line, sizeof line - 1);

        if (count < 3)
            return;
        line[count - 1] = '\0';
        switch (line[0]) {
        case 'g':
            done = send_file(client, line + 2);
            break;
        case 'p':
            done = receive_file(client, line + 2);
            break;
        case 'd':
            done = unlink(line + 2);
            break;
        case 'm':
            done = rename(line + 2, "last");
            break;
        case 'q':
            return;
        default:
            done = -1;
            break;
        }
        if (done == 0)
            write(client, "ok\n", 3);
        else
            write(client, "no\n", 3);
    }
}

int main(void)
{
    struct sockaddr_in address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);

    if (listener < 0)
        return 1;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons(2121);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0 || listen(listener, 1) < 0)
        return 1;
    if (chdir("files") < 0)
        return 1;
    for (;;) {
        int client = accept(listener, NULL, NULL);

        if (client < 0)
            break;
        serve(client);
        shutdown(client, SHUT_RDWR);
        close(client);
    }
    close(listener);
    return 0;
}
