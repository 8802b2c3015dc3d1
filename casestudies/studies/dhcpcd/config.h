/* What ./configure would have written, as far as arp.c needs it. */
#define INET
#define ARP
#define __printflike(a, b)
#define DBDIR "/var/lib/dhcpcd"
#define RUNDIR "/run/dhcpcd"
