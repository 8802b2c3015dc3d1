// Owners, limits, traits, errors, bits, locks and durations.
#include <memory>
#include <cstddef>
#include <algorithm>
#include <string>
#include <limits>
#include <type_traits>
#include <exception>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>
#include <cmath>
#include <compare>
#include <bit>
#include <concepts>
#include <numbers>
#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <chrono>
#include <iterator>
#include <ratio>
extern "C" void observe(long long value);
struct Loud { static int alive; int n = 3; Loud() { ++alive; } explicit Loud(int k) : n(k) { ++alive; } Loud(const Loud &) { ++alive; } virtual ~Loud() { --alive; } }; int Loud::alive = 0;
struct Louder : Loud { int m = 4; };
template <std::integral T> int kind(T) { return 1; } template <std::floating_point T> int kind(T) { return 2; }
struct Del { int *n; void operator()(Loud *p) const { ++*n; delete p; } };
struct Node { int v; std::shared_ptr<Node> next; std::weak_ptr<Node> back; ~Node() { observe(v); } };
int main() {
    std::shared_ptr<Loud> s = std::make_shared<Louder>();
    std::weak_ptr<Loud> w = s;
    observe(s.use_count());
    observe(w.expired());
    if (auto l = w.lock()) observe(l->n + s.use_count());
    auto d = std::dynamic_pointer_cast<Louder>(s);
    observe(d->m);
    auto st = std::static_pointer_cast<Louder>(s);
    observe(st.use_count());
    d.reset();
    st.reset();
    std::shared_ptr<int> alias(s, &s->n);
    observe(*alias);
    s.reset();
    observe(Loud::alive);
    alias.reset();
    observe(Loud::alive);
    observe(w.expired());
    observe(w.lock() == nullptr);
    try { std::shared_ptr<Loud> bad(w); } catch (const std::bad_weak_ptr &) { observe(-1); }
    int n = 0;
    { std::unique_ptr<Loud, Del> u(new Loud, Del{&n}); }
    observe(n);
    { std::shared_ptr<Loud> sd(new Loud, [&n](Loud *p) { n += 10; delete p; }); auto c = sd; }
    observe(n);
    std::shared_ptr<Loud> fromu = std::make_unique<Loud>(9);
    observe(fromu->n);
    auto arr = std::make_unique<int[]>(3);
    arr[2] = 4;
    observe(arr[0] + arr[2]);
    std::shared_ptr<int[]> sa(new int[2]{5, 6});
    observe(sa[1]);
    observe(fromu == fromu);
    observe(!fromu);
    fromu = nullptr;
    observe(Loud::alive);
    std::unique_ptr<Loud> up(new Louder);
    std::unique_ptr<Loud> up2;
    up2 = std::move(up);
    observe(up == nullptr);
    observe(up2->n);
    Loud *raw = up2.release();
    delete raw;
    observe(Loud::alive);
    up.reset(new Loud(2));
    observe((*up).n);
    observe(std::addressof(n) == &n);
    { auto a = std::make_shared<Node>(); a->v = 1; a->next = std::make_shared<Node>(); a->next->v = 2; a->next->back = a; observe(a.use_count()); }
    observe(std::make_shared<std::string>("abc")->size());
    observe(*std::make_shared<const int>(4));
    std::unique_ptr<const Loud> cu = std::make_unique<Loud>(8);
    observe(cu->n);
    std::allocator<int> al;
    int *mem = al.allocate(2);
    std::construct_at(mem, 4);
    observe(*mem);
    std::destroy_at(mem);
    al.deallocate(mem, 2);
    observe(std::to_address(mem) == mem);
    observe(std::numeric_limits<int>::max());
    observe(std::numeric_limits<unsigned char>::max());
    observe(std::numeric_limits<long long>::min());
    observe(std::numeric_limits<int>::digits);
    observe(std::numeric_limits<double>::has_infinity);
    observe(std::numeric_limits<char>::is_signed);
    observe(std::numeric_limits<double>::infinity() > 1e300);
    observe(std::numeric_limits<float>::epsilon() > 0);
    observe(std::numeric_limits<int>::lowest());
    observe(std::numeric_limits<double>::quiet_NaN() != std::numeric_limits<double>::quiet_NaN());
    observe(std::numeric_limits<bool>::max());
    observe(std::numeric_limits<int>::digits10);
    observe(std::is_same_v<std::decay_t<const int &>, int>);
    observe(std::is_base_of_v<Loud, Louder>);
    observe(std::is_integral_v<char>);
    observe(std::is_convertible_v<int, double>);
    observe(std::is_same_v<std::conditional_t<true, int, char>, int>);
    observe(std::is_enum_v<std::byte>);
    observe(std::is_polymorphic_v<Loud>);
    observe(std::is_invocable_v<decltype(kind<int>), int>);
    observe(std::is_same_v<std::invoke_result_t<decltype(kind<int>), int>, int>);
    observe(std::is_pointer_v<int *>);
    observe(std::is_same_v<std::common_type_t<int, long>, long>);
    observe(std::is_same_v<std::underlying_type_t<std::byte>, unsigned char>);
    observe(std::is_trivially_copyable_v<int>);
    observe(std::is_default_constructible_v<Loud>);
    observe(std::is_class_v<Loud>);
    observe(std::is_const_v<const int>);
    observe(std::is_signed_v<int>);
    observe(std::is_array_v<int[3]>);
    observe(std::extent_v<int[3]>);
    observe(std::rank_v<int[3][2]>);
    observe(std::is_function_v<int()>);
    observe(std::conjunction_v<std::true_type, std::false_type>);
    observe(std::disjunction_v<std::true_type, std::false_type>);
    observe(std::negation_v<std::true_type>);
    observe(std::is_abstract_v<Loud>);
    observe(std::is_final_v<Loud>);
    observe(std::is_arithmetic_v<int>);
    observe(std::is_void_v<void>);
    observe(std::alignment_of_v<int>);
    observe(std::is_reference_v<int &>);
    observe(kind(3) + kind(2.5));
    std::error_code ec;
    observe(!ec);
    ec = std::make_error_code(std::errc::invalid_argument);
    observe(ec.value());
    observe(ec == std::errc::invalid_argument);
    observe(ec.category() == std::generic_category());
    try { throw std::system_error(ec, "what"); } catch (const std::system_error &e) { observe(e.code().value()); }
    observe(std::abs(-3));
    observe(std::sqrt(16.0));
    observe(std::floor(2.7));
    observe(std::ceil(2.1));
    observe(std::round(2.5));
    observe(std::fabs(-2.5) * 2);
    observe(std::fmod(7.5, 2.0) * 2);
    observe(std::isnan(0.0));
    observe(std::isinf(1.0));
    observe(std::trunc(-2.7));
    observe(std::lround(3.6));
    observe(std::max(1.5, 2.5) * 2);
    observe(std::signbit(-1.0));
    observe(std::copysign(2.0, -1.0));
    observe(std::abs(-2.5f) * 2);
    observe(std::numbers::pi > 3);
    observe(std::fmin(1.0, 2.0));
    observe(std::isfinite(1.0));
    observe(std::popcount(7u));
    observe(std::countl_zero(1u));
    observe(std::countr_zero(8u));
    observe(std::has_single_bit(8u));
    observe(std::bit_ceil(5u));
    observe(std::bit_floor(5u));
    observe(std::rotl(1u, 3));
    observe(std::bit_cast<unsigned>(1.0f));
    observe(std::bit_width(5u));
    observe(std::endian::native == std::endian::little);
    observe(std::byte{3} == std::byte{3});
    observe(std::to_integer<int>(std::byte{6} | std::byte{1}));
    std::atomic<int> at{3};
    at++;
    at += 2;
    observe(at.load());
    observe(at.exchange(10));
    int ex = 10;
    observe(at.compare_exchange_strong(ex, 11));
    observe(at);
    at.store(5);
    observe(at.fetch_add(2));
    observe(at.fetch_sub(1));
    std::atomic<bool> ab{false};
    ab = true;
    observe(ab);
    std::atomic_flag fl;
    observe(fl.test_and_set());
    observe(fl.test_and_set());
    fl.clear();
    at.store(1, std::memory_order_release);
    observe(at.load(std::memory_order_acquire));
    std::mutex mx;
    { std::lock_guard<std::mutex> g(mx); }
    { std::unique_lock<std::mutex> g(mx); observe(g.owns_lock()); g.unlock(); observe(g.owns_lock()); }
    { std::scoped_lock g(mx); }
    observe(mx.try_lock());
    mx.unlock();
    std::recursive_mutex rm;
    rm.lock();
    rm.lock();
    rm.unlock();
    rm.unlock();
    std::once_flag of;
    int once = 0;
    std::call_once(of, [&] { ++once; });
    std::call_once(of, [&] { ++once; });
    observe(once);
    std::shared_mutex sm;
    { std::shared_lock l1(sm); std::shared_lock l2(sm); }
    { std::unique_lock l3(sm); }
    std::timed_mutex tm;
    observe(tm.try_lock_for(std::chrono::milliseconds(1)));
    tm.unlock();
    using namespace std::chrono_literals;
    auto dur = 1500ms;
    observe(std::chrono::duration_cast<std::chrono::seconds>(dur).count());
    observe((dur + 2s).count());
    observe(2min > 100s);
    observe(std::chrono::floor<std::chrono::seconds>(-1500ms).count());
    std::chrono::steady_clock::time_point tp{};
    tp += 5s;
    observe(tp.time_since_epoch() / 1s);
    observe(std::chrono::hours(2) / std::chrono::minutes(1));
    observe((dur % 1s).count());
    observe(std::chrono::duration<double>(dur).count() * 2);
    observe(std::chrono::milliseconds::zero().count());
    observe(dur == 1.5s);
    observe((-dur).count());
    observe(std::ratio_multiply<std::ratio<1,2>, std::ratio<2,3>>::den);
    observe(std::chrono::round<std::chrono::seconds>(dur).count());
    observe(std::chrono::abs(-5s).count());
    return 0;
}
