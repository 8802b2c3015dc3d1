#include <memory>
#include <array>
#include <optional>
#include <functional>
#include <string>
extern "C" void observe(long long);
static int twice(int x) { return 2 * x; }
int main() {
  int r=0;
  std::array<int, 3> a{1, 2, 3}; for (int x : a) r += x; a.fill(2); r += a[2] + a.size(); observe(r); std::array<int, 3> b = a; observe(a == b); b[0] = 1; observe(b < a);
  std::optional<int> o; observe(o.has_value()); o = 5; observe(*o + o.value_or(9)); o.reset(); observe(o.value_or(9)); try { o.value(); } catch (std::bad_optional_access &) { observe(11); }
  std::optional<std::string> os = "abc"; observe(os->size()); auto os2 = os; os = std::nullopt; observe(os2.value().size()); observe (os == std::nullopt);
  std::function<int(int)> f = twice; observe(f(3)); int k = 10; f = [&k](int x) { return k += x; }; observe(f(1)); auto g = f; observe(g(2)); f = nullptr; observe(!f); try { f(1); } catch (const std::bad_function_call &) { observe(3); }
  observe(std::hash<int>()(3)); observe(std::plus<int>()(1, 2)); observe(std::less<>()(1, 2));
}
