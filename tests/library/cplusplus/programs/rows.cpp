// Rows of elements: how their room grows, bits that are referred to, and positions that stay while ends change.
#include <vector>
#include <deque>
#include <algorithm>
#include <list>
extern "C" void observe(long long value);
template <class V> void show(const V &v) { observe(v.size()); for (auto x : v) observe(x); }
int main() {
  std::vector<int> v; 
  for (int i = 0; i < 9; ++i) { v.push_back(i); observe(v.capacity()); }
  v.insert(v.begin() + 2, 3, 77); observe(v.capacity()); v.insert(v.end(), {1,2,3,4,5,6,7}); observe(v.capacity());
  v.resize(25); observe(v.capacity()); v.resize(80); observe(v.capacity()); v.clear(); observe(v.capacity()); v.shrink_to_fit(); observe(v.capacity());
  std::vector<int> w(5), w2(w); observe(w.capacity()); w2.push_back(1); observe(w2.capacity()); w = {1,2,3}; observe(w.capacity()); w.assign(9, 4); observe(w.capacity());
  std::list<int> l{1,2,3}; std::vector<int> x(l.begin(), l.end()); observe(x.capacity()); x = w; observe(x.capacity()); x.reserve(10); x.emplace_back(4); observe(x.capacity());
  std::vector<int> y{1,2,3,4}; y.pop_back(); int &r = y[0]; y.push_back(9); r = 8; show(y);
  std::vector<bool> b(3); b[1] = true; auto p = b[0]; b[0] = true; observe(p); b.push_back(false); show(b); b.flip(); show(b); for (auto &&e : b) e = !e; show(b);
  observe(std::count(b.begin(), b.end(), true)); b.insert(b.begin() + 1, true); b.erase(b.begin()); show(b); std::vector<bool> c = b; observe(c == b); c[0].flip(); observe(c == b); observe(c < b);
  b = {true, false}; show(b); b.resize(4, true); show(b); observe(b.front()); observe(b.back()); std::vector<bool> d(b.begin(), b.begin() + 2); show(d); swap(b[0], b[1]); show(b); d.clear(); observe(d.empty());
  try { b.at(9); } catch (...) { observe(-1); }
  std::deque<int> q{1,2,3,4,5}; auto it = q.begin() + 2; q.pop_front(); q.pop_back(); observe(*it); ++it; observe(*it); observe(it - q.begin()); observe(q.end() - it);
  int &f = q.front(); q.push_front(0); q.push_back(9); observe(f); show(q); q.insert(q.begin() + 1, 3, 6); show(q); q.erase(q.begin() + 1, q.begin() + 3); show(q); std::sort(q.begin(), q.end()); show(q);
  std::reverse(q.begin(), q.end()); show(q); observe(*std::max_element(q.begin(), q.end())); observe(q.begin() < q.end()); for (auto i = q.rbegin(); i != q.rend(); ++i) observe(*i);
  q.insert(q.end(), {7,8}); show(q); std::deque<int> e; observe(e.begin() == e.end()); observe(e.end() - e.begin()); e.assign(3, 2); show(e); e.resize(5); show(e); e.swap(q); show(e); observe(e[2]); std::deque<int>::const_iterator ci = e.begin(); ci += 2; observe(*ci); observe(ci[1]);
  return 0; }
