// Integers as text and back; headers with nothing but names.
#include <charconv>
#include <ciso646>
#include <iosfwd>
#include <limits>
#include <string_view>
#include <version>
extern "C" void observe(long long value);
template <class T> void write(T value, int base, int room = 70) {
    char text[70];
    auto [end, error] = std::to_chars(text, text + room, value, base);
    observe(static_cast<int>(error));
    observe(end - text);
    if (error == std::errc())
        for (const char *c = text; c != end; ++c) observe(*c);
}
template <class T> void read(std::string_view text, int base = 10) {
    T value = 77;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    observe(value);
    observe(end - text.data());
    observe(static_cast<int>(error));
}
void show(const std::ostream &);
int main() {
    write(0, 10);
    write(-120, 10);
    write(std::numeric_limits<long long>::min(), 10);
    write(std::numeric_limits<unsigned long long>::max(), 16);
    write(static_cast<short>(-5), 2);
    write(static_cast<signed char>(-128), 2);
    write(35u, 36);
    write(1234, 10, 3);
    write(-12, 10, 2);
    for (auto text : {"0", "42x", "-7", "+7", "", "-", "128", "-128", "-129", "255", "256", "99999999999999999999", " 1", "007"}) {
        read<int>(text);
        read<unsigned>(text);
        read<signed char>(text);
        read<unsigned char>(text);
        read<long long>(text);
        read<unsigned long long>(text);
    }
    read<int>("fFg", 16);
    read<int>("102", 2);
    read<unsigned long long>("18446744073709551615");
    read<unsigned long long>("18446744073709551616");
    std::u32string_view wide(U"ab");
    observe(wide.size() == 2 and wide[1] == U'b');
    return 0;
}
