#include <stdexcept>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <string>
extern "C" void observe(long long);
int main() {
  std::map<int, int> m; m[3] = 4; m[1] = 2; m[2]; m.insert({5, 6}); m.emplace(4, 9); observe(m.size());
  for (auto &[k, v] : m) { observe(k); observe(v); v++; }
  for (const auto &p : m) observe(p.first * 10 + p.second);
  observe(m.count(3)); observe(m.find(7) == m.end()); m.erase(3); auto it = m.find(2); it = m.erase(it); observe(it->first);
  m.erase(it++); observe(it->first); observe(m.at(1)); try { m.at(99); } catch (std::out_of_range &) { observe(99); }
  std::map<std::string, std::string> s{{"a", "b"}, {"c", "d"}}; s["x"] = s["a"]; s["y"] += "q"; for (auto &p : s) observe(p.first[0] * 256 + p.second[0]);
  auto t = s; t.erase("a"); observe(t == s); observe(s < t); s = t; observe(t == s); observe(s.lower_bound("b")->first[0]); observe((--s.end())->first[0]); observe(s.rbegin()->second[0]);
  std::set<int> q{5, 1, 3, 1}; for (int x : q) observe(x); observe(q.insert(3).second); observe(*q.insert(4).first); observe(q.count(5)); q.erase(q.begin()); observe(*q.begin()); observe(*q.upper_bound(3));
  std::multimap<int, int> mm{{1, 2}, {1, 3}, {0, 1}}; auto r = mm.equal_range(1); for (auto i = r.first; i != r.second; ++i) observe(i->second); observe(mm.count(1)); observe(mm.erase(1));
  std::unordered_map<int, int> u; u[1] = 2; u[7] = 3; observe(u.size()); observe(u.at(7)); observe(u.count(8)); u.erase(1); observe(u.begin()->second); for (auto &[k, v] : u) observe(k + v);
  std::unordered_set<std::string> us{"a", "b"}; observe(us.contains("a")); observe(us.insert("b").second); observe(us.size());
  std::map<int, std::map<int, int>> nested; nested[1][2] = 3; observe(nested[1].size()); observe(nested.begin()->second.begin()->second);
  m.try_emplace(8, 1); m.insert_or_assign(8, 7); observe(m[8]);
}
