#include <deque>
#include <list>
#include <stack>
#include <queue>
#include <tuple>
#include <variant>
#include <string>
extern "C" void observe(long long);
template <class... F> struct over : F... { using F::operator()...; };
template <class... F> over(F...) -> over<F...>;
int main() {
  std::deque<int> d{1, 2}; d.push_front(0); d.push_back(3); int &r = d[1]; d.push_back(9); observe(r); for (int x : d) observe(x); d.pop_front(); observe(d.front()); observe(d.size()); d.erase(d.begin() + 1); observe(d[1]);
  std::list<int> l{3, 1, 2}; l.sort(); for (int x : l) observe(x); l.push_front(7); l.remove(1); l.reverse(); for (int x : l) observe(x); auto it = l.begin(); ++it; l.insert(it, 5); it = l.erase(it); observe(*it); std::list<int> l2{8, 9}; l.splice(l.end(), l2); observe(l.size()); observe(l.back());
  std::stack<int> s; s.push(1); s.push(2); observe(s.top()); s.pop(); observe(s.top()); std::queue<std::string> q; q.push("a"); q.emplace("bc"); observe(q.front().size()); q.pop(); observe(q.front().size());
  std::priority_queue<int> p; for (int x : {3, 9, 4, 1}) p.push(x); while (!p.empty()) { observe(p.top()); p.pop(); }
  std::tuple<int, std::string, double> t{1, "ab", 2.5}; observe(std::get<0>(t)); observe(std::get<1>(t).size());  int x; std::string y; std::tie(x, y, std::ignore) = t; observe(x + y.size()); observe(std::make_tuple(1, 2) < std::make_tuple(1, 3)); observe(std::apply([](int u, int v) { return u * v; }, std::make_tuple(3, 4)));
  std::variant<int, std::string> v = 5; observe(v.index()); observe(std::get<int>(v)); v = "text"; observe(v.index()); observe(std::get<1>(v).size()); try { std::get<int>(v); } catch (const std::bad_variant_access &) { observe(77); }
  observe(std::visit(over{[](int i) { return i; }, [](const std::string &z) { return (int)z.size() * 10; }}, v)); auto w = v; v = 3; observe(w == v); observe(std::holds_alternative<int>(v)); observe(std::get_if<std::string>(&w)->size());
}
