#include <algorithm>
#include <numeric>
#include <limits>
#include <mutex>
#include <atomic>
#include <vector>
#include <string>
extern "C" void observe(long long);
std::mutex m2;
int main() {
  std::vector<int> v{5, 3, 9, 1, 3}; std::sort(v.begin(), v.end()); for (int x : v) observe(x); observe(std::accumulate(v.begin(), v.end(), 0)); observe(*std::max_element(v.begin(), v.end()));
  observe(std::count(v.begin(), v.end(), 3)); observe(std::find(v.begin(), v.end(), 9) - v.begin()); v.erase(std::remove_if(v.begin(), v.end(), [](int x) { return x == 3; }), v.end()); observe(v.size());
  std::sort(v.begin(), v.end(), std::greater<int>()); observe(v[0]); std::reverse(v.begin(), v.end()); observe(v[0]); observe(std::any_of(v.begin(), v.end(), [](int x) { return x > 8; }));
  std::vector<int> w(3); std::transform(v.begin(), v.end(), w.begin(), [](int x) { return x * x; }); for (int x : w) observe(x); std::iota(w.begin(), w.end(), 4); observe(w[2]); std::copy(v.begin(), v.end(), std::back_inserter(w)); observe(w.size()); std::rotate(w.begin(), w.begin() + 2, w.end()); for (int x : w) observe(x);
  observe(std::min(3, 2)); observe(std::max({1, 7, 3})); observe(std::clamp(12, 0, 10)); observe(std::gcd(12, 18)); observe(std::numeric_limits<int>::max()); observe(std::numeric_limits<unsigned char>::max()); observe(std::numeric_limits<short>::min()); observe(std::numeric_limits<long long>::min());
  std::mutex m; { std::lock_guard<std::mutex> g(m); observe(m.try_lock()); } { std::unique_lock l(m); observe(l.owns_lock()); l.unlock(); } observe(m.try_lock()); m.unlock(); { std::scoped_lock l(m, m2); }
  std::atomic<int> a{3}; a++; a += 4; observe(a); observe(a.fetch_add(2)); observe(a.load()); int e = 10; observe(a.compare_exchange_strong(e, 1)); observe(a);
  std::vector<std::string> s{"b", "a", "c"}; std::sort(s.begin(), s.end()); observe(s[0][0]); do { observe(s[0][0] * 4 + s[1][0] * 2 + s[2][0]); } while (std::next_permutation(s.begin(), s.end())); s.erase(std::unique(s.begin(), s.end()), s.end()); observe(s.size());
}
