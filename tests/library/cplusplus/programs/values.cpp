#include <vector>
#include <string>
#include <stdexcept>
struct S { static int alive; int v; S(int x) : v(x) { alive++; } S(const S &o) : v(o.v) { alive++; } S &operator=(const S &) = default; ~S() { alive--; } };
int S::alive = 0;
int main() {
  int r = 0;
  std::vector<int> v{1, 2, 3};
  v.push_back(4); v.insert(v.begin() + 1, 9); v.erase(v.begin());
  for (int x : v) r = r * 3 + x;
  { std::vector<S> s; s.emplace_back(3); s.push_back(S(4)); s.insert(s.begin(), 5); s.reserve(5); s.insert(s.begin() + 1, 7);
    for (auto &e : s) r = r * 3 + e.v; std::vector<S> t = s; t.pop_back(); s = t; r += s.size(); r += S::alive; }
  r += S::alive * 100;
  std::string a = "hello"; a += " world"; a.insert(0, "x"); a = a.substr(2, 5) + "!" + a; r += a.size() + a.find("wor") * 3 + (a == "ello !xhello world") + (a < "f");
  try { v.at(17); } catch (const std::out_of_range &e) { r += 50; }
  try { throw std::runtime_error("abc"); } catch (const std::exception &e) { r += e.what()[1]; }
  std::vector<std::string> vs; vs.push_back("a"); vs.push_back(std::to_string(-120)); vs.push_back(vs[1]); for (auto &x : vs) r += x.size() * 7 + x[0];
  std::vector<std::vector<int>> vv(2, std::vector<int>(3, 1)); vv[1][2] = 7; for (auto &x : vv) for (int y : x) r += y;
  for (auto i = v.rbegin(); i != v.rend(); ++i) r = r * 2 + *i;
  return r & 255;
}
