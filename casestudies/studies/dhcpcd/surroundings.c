/* What surrounds arp.c in dhcpcd: a timer, a wire, an interface, and the part that wants an address. */

enum packet { PROBE, ANNOUNCEMENT };
enum sender { STRANGER, OTHER_INTERFACE };

/* The outside, without a body: whoever looks at the model sees these calls. */
void sent(enum packet packet);
void bound(void), taken(void), lost(void);

static struct dhcpcd_ctx dhcpcd;
static struct if_head interfaces;
static struct interface eth0, eth1;
static struct if_options options;
static struct ipv4_addr configured;
static struct bpf wire;

static const struct in_addr wanted = { 0x0a000001 };
static struct arp_state *state;            /* of the address that is wanted, while there is one */
static bool has_address, answered, defended;   /* `defended`: a conflict was answered in the last ten seconds */
static void (*timer)(void *);

/* ---- what arp.c calls */

size_t bpf_frame_header_len(const struct interface *ifp) { return ifp->hwtype == ARPHRD_ETHER ? 2 : 0; }
void *bpf_frame_header_src(const struct interface *ifp, void *frame, size_t *len) { *len = 1; return frame; }
void *bpf_frame_header_dst(const struct interface *ifp, void *frame, size_t *len) { *len = 1; return (char *)frame + 1; }
struct bpf *bpf_open(const struct interface *ifp, int (*filter)(const struct bpf *, const struct in_addr *),
    const struct in_addr *ia) { return &wire; }
void bpf_close(struct bpf *bpf) {}
int bpf_arp(const struct bpf *bpf, const struct in_addr *ia) { return 0; }
ssize_t bpf_read(struct bpf *bpf, void *data, size_t len) { bpf->bpf_flags |= BPF_EOF; return 0; }

ssize_t bpf_send(const struct bpf *bpf, uint16_t protocol, const void *data, size_t len)
{
    const unsigned char *from = (const unsigned char *)data + sizeof(struct arphdr) + 1;
    answered = from[0] || from[3];
    sent(answered ? ANNOUNCEMENT : PROBE);
    return len;
}

int eloop_q_timeout_add_sec(struct eloop *loop, int queue, unsigned int s, void (*f)(void *), void *a)
{
    timer = f;
    return 0;
}

int eloop_q_timeout_add_msec(struct eloop *loop, int queue, unsigned long ms, void (*f)(void *), void *a)
{
    timer = f;
    return 0;
}

int eloop_q_timeout_delete(struct eloop *loop, int queue, void (*f)(void *), void *a)
{
    if (!timer || (f && f != timer))
        return 0;
    timer = NULL;
    return 1;
}

unsigned long long eloop_timespec_diff(const struct timespec *now, const struct timespec *then, unsigned int *nsecs)
{
    return defended ? 1 : DEFEND_INTERVAL;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    now->tv_sec = 1;
    now->tv_nsec = 0;
    return 0;
}

uint32_t arc4random_uniform(uint32_t most) { return 0; }
struct ipv4_addr *ipv4_iffindaddr(struct interface *i, const struct in_addr *a, const struct in_addr *net)
{
    return i == &eth0 && has_address ? &configured : NULL;
}
char *inet_ntoa(struct in_addr address) { return ""; }
const char *hwaddr_ntoa(const void *address, size_t length, char *text, size_t size) { *text = 0; return text; }
void log_debugx(const char *format, ...) {}
void log_warnx(const char *format, ...) {}
void log_err(const char *format, ...) {}
void log_errx(const char *format, ...) {}
bool if_is_link_up(const struct interface *ifp) { return true; }

/* ---- what calls arp.c: dhcp.c does more, but with the same functions in the same order */

static void on_found(struct arp_state *found, const struct arp_msg *packet)
{
    taken();
    arp_free(found);
    state = NULL;
}

static void on_not_found(struct arp_state *found)
{
    has_address = true;
    configured.flags = IPV4_AF_NEW;
    bound();
    arp_ifannounceaddr(found->iface, &wanted);
}

static void on_defend_failed(struct arp_state *found)
{
    lost();
    has_address = defended = false;
    arp_free(found);
    state = NULL;
}

static void begin_with(uint16_t hardware)
{
    TAILQ_INIT(&interfaces);
    TAILQ_INSERT_TAIL(&interfaces, &eth0, next);
    TAILQ_INSERT_TAIL(&interfaces, &eth1, next);
    dhcpcd.ifaces = &interfaces;
    eth0.ctx = eth1.ctx = &dhcpcd;
    eth0.options = eth1.options = &options;
    eth0.hwlen = eth1.hwlen = 1;
    eth0.hwaddr[0] = 1;
    eth1.hwaddr[0] = 2;
    eth0.hwtype = eth1.hwtype = hardware;
    options.options = DHCPCD_ARP;
}

void begin(void) { begin_with(ARPHRD_ETHER); }
void begin_without_frames(void) { begin_with(ARPHRD_INFINIBAND); }

/* ---- what happens */

void want_address(void)
{
    if (state)
        return;
    state = arp_new(&eth0, &wanted);
    state->found_cb = on_found;
    state->not_found_cb = on_not_found;
    state->defend_failed_cb = on_defend_failed;
    arp_probe(state);
}

void expire(void)
{
    void (*function)(void *) = timer;

    timer = NULL;
    if (function)
        function(state);
}

void ten_seconds_pass(void) { defended = false; }

void receive(enum packet packet, enum sender sender)
{
    struct { unsigned char frame[2]; struct arphdr header; unsigned char addresses[10]; } bytes = { { 0 } };
    bool has_frame = eth0.hwtype == ARPHRD_ETHER;

    bytes.frame[0] = bytes.addresses[0] = sender == STRANGER ? 9 : 2;
    bytes.header.ar_hrd = htons(eth0.hwtype);
    bytes.header.ar_pro = htons(ETHERTYPE_IP);
    bytes.header.ar_hln = 1;
    bytes.header.ar_pln = 4;
    bytes.header.ar_op = htons(ARPOP_REQUEST);
    memcpy(bytes.addresses + (packet == ANNOUNCEMENT ? 1 : 6), &wanted, 4);
    answered = false;
    arp_packet(&eth0, has_frame ? bytes.frame : (uint8_t *)&bytes.header, sizeof bytes - (has_frame ? 0 : 2), BPF_BCAST);
    defended |= answered;
    answered = false;
}
