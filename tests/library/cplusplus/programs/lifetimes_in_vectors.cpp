// In which order a vector moves and destroys its elements: each is gone as soon as it has moved, and the first ends first.
#include <vector>
extern "C" void observe(long long value);

struct Loud {
    int number;
    explicit Loud(int given) : number(given) { observe(number); }
    Loud(const Loud &other) : number(other.number) { observe(100 + number); }
    Loud(Loud &&other) noexcept : number(other.number) {
        other.number = 0;
        observe(200 + number);
    }
    Loud &operator=(const Loud &other) {
        number = other.number;
        observe(300 + number);
        return *this;
    }
    ~Loud() { observe(400 + number); }
};

int main() {
    std::vector<Loud> loud;
    loud.reserve(2);
    loud.emplace_back(1);
    loud.push_back(Loud(2));
    loud.emplace_back(3);
    loud.erase(loud.begin());
    loud.insert(loud.begin(), Loud(4));
    loud.resize(2, Loud(5));
    std::vector<Loud> other = loud;
    loud.clear();
    return 0;
}
