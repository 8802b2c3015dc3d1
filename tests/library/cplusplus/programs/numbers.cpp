#include <stdexcept>
#include <string>
extern "C" void observe(long long);
int main() {
    std::size_t used;
    observe(std::stoi(" 42x", &used));
    observe(used);
    observe(std::stol("-7"));
    observe(std::stoi("ff", nullptr, 16));
    try { std::stoi("none"); } catch (const std::invalid_argument &) { observe(-1); }
    try { std::stoi("99999999999"); } catch (const std::out_of_range &) { observe(-2); }
    return std::stoi(std::to_string(200) + "1") & 127;
}
