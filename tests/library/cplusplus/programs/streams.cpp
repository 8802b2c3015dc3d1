#include <iostream>
#include <sstream>
#include <iomanip>
#include <string>
extern "C" void observe(long long);
struct P { int x, y; };
std::ostream &operator<<(std::ostream &o, const P &p) { return o << '(' << p.x << ", " << p.y << ')'; }
static void say(const std::string &s) { for (char c : s) observe(c); observe(-1); }
int main() {
  std::ostringstream o; o << 12 << " x " << -3L << 'c' << true << std::boolalpha << false << ' ' << 2.5 << ' ' << std::hex << 255 << std::dec << ' ' << std::setw(5) << 42 << std::setfill('0') << std::setw(4) << 7 << std::fixed << std::setprecision(2) << 3.14159 << P{1, 2} << std::endl; say(o.str());
  std::istringstream i("12 abc -7"); int n; std::string w; i >> n >> w; observe(n); say(w); i >> n; observe(n); observe(i.eof()); i >> n; observe(bool(i));
  std::istringstream l("a\nbc\n"); std::string line; while (std::getline(l, line)) say(line);
}
