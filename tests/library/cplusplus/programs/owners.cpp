#include <memory>
#include <array>
#include <optional>
#include <functional>
#include <string>
#include <vector>
struct A { static int n; int v; A(int x) : v(x) { n++; } virtual ~A() { n--; } virtual int f() { return v; } };
int A::n = 0;
struct B : A { B(int x) : A(x) {} int f() override { return v * 2; } };
struct Self : std::enable_shared_from_this<Self> { int q = 3; std::shared_ptr<Self> me() { return shared_from_this(); } };
static int twice(int x) { return 2 * x; }
int main() {
  int r = 0;
  { std::unique_ptr<A> p = std::make_unique<B>(4); r += p->f(); std::unique_ptr<A> q = std::move(p); r += !p; r += q->v; std::vector<std::unique_ptr<A>> v; v.push_back(std::move(q)); v.push_back(std::make_unique<A>(1)); for (auto &x : v) r += x->f(); r += A::n * 3;
    auto arr = std::make_unique<int[]>(3); arr[1] = 5; r += arr[1] + arr[2]; }
  r += A::n * 100;
  { std::weak_ptr<A> w; { std::shared_ptr<A> s = std::make_shared<B>(7); auto t = s; w = t; r += s.use_count(); r += w.lock()->f(); auto b = std::dynamic_pointer_cast<B>(s); r += b->v + b.use_count(); } r += w.expired(); r += A::n; }
  { auto s = std::make_shared<Self>(); r += s->me()->q + s.use_count(); }
  std::array<int, 3> a{1, 2, 3}; for (int x : a) r += x; a.fill(2); r += a[2] + a.size(); std::array<int, 3> b = a; r += (a == b); b[0] = 1; r += b < a;
  std::optional<int> o; r += o.has_value(); o = 5; r += *o + o.value_or(9); o.reset(); r += o.value_or(9); try { o.value(); } catch (std::bad_optional_access &) { r += 11; }
  std::optional<std::string> os = "abc"; r += os->size(); auto os2 = os; os = std::nullopt; r += os2.value().size() + (os == std::nullopt);
  std::function<int(int)> f = twice; r += f(3); int k = 10; f = [&k](int x) { return k += x; }; r += f(1); auto g = f; r += g(2); f = nullptr; r += !f; try { f(1); } catch (const std::bad_function_call &) { r += 3; }
  r += std::hash<int>()(3) + std::plus<int>()(1, 2) + std::less<>()(1, 2);
  return r & 255;
}
