#include <chrono>
extern "C" void observe(long long);
using namespace std::chrono_literals;
int main() { auto d = 2s + 500ms; observe(d.count()); observe(std::chrono::duration_cast<std::chrono::seconds>(d).count()); observe(d > 2s); std::chrono::milliseconds m = 3min; observe(m.count()); observe((m * 2).count()); std::chrono::steady_clock::time_point t; t += 5s; observe(t.time_since_epoch().count()); observe((t - std::chrono::steady_clock::time_point()) == 5s); }
