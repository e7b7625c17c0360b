package dev.baton.lab.launch;

import dev.baton.operations.line.CommandException;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Network namespaces with a virtual link to a bridge each: hosts that share a processor and a disk, and a network in which
 * packets are lost, late or stopped. Needs root and iproute2; {@link #refusal()} says what keeps it from being made.
 *
 * <p>A shell makes them, and removes them when its standard input ends, and so also when this process is killed. What is done
 * to the network goes with them. Each command is limited to 10 seconds. Confined to one thread.
 */
public final class Hosts implements AutoCloseable {
    /**
     * The script; its argument is the number of hosts. Names contain the shell's process id, so that they are unique; the network is the
     * first free one of those for benchmarks of networks, which no host of a sane network has (RFC 2544).
     */
    private static final String SCRIPT = """
            trap '' INT TERM HUP
            bridge="bt$$"
            number=$$
            while network="198.$((18 + number / 256 % 2)).$((number % 256))"; ip route show "$network.0/24" | grep -q .; do
                number=$((number + 1))
            done
            make() {
                ip link add "$bridge" type bridge && ip address add "$network.254/24" dev "$bridge" \
            && ip link set "$bridge" up || return
                for host in $(seq "$1"); do
                    name="${bridge}h$host"
                    ip netns add "$name" && ip link add "$name" type veth peer name eth0 netns "$name" \
            && ip link set "$name" master "$bridge" up && ip -n "$name" address add "$network.$host/24" dev eth0 \
            && ip -n "$name" link set eth0 up && ip -n "$name" link set lo up || return
                done
                echo "made $network"
            }
            make "$1" 2>&1 && read -r end
            exec 2>/dev/null
            for host in $(seq "$1"); do
                ip netns delete "${bridge}h$host"
                ip link delete "${bridge}h$host"
            done
            ip link delete "$bridge"
            """;

    private static final String MADE = "made ";

    /** A fraction of what brokers send one another under a load of some thousand messages a second. */
    private static final String SLOW_RATE = "8mbit";

    private static final String LOSS = "nft table inet baton { chain in { type filter hook input priority 0;"
            + " iifname \"eth0\" numgen random mod 100 < 1 drop; }; }";

    private final Tool.Holder shell;
    private final List<String> names;
    private final String network;

    private Hosts(Tool.Holder shell, List<String> names, String network) {
        this.shell = shell;
        this.names = names;
        this.network = network;
    }

    /**
     * Makes so many; nothing is left when that fails.
     *
     * @throws IOException when this machine does not allow it: the text says why
     */
    public static Hosts make(int count) throws IOException {
        Tool.Holder shell = new Tool.Holder(SCRIPT, "baton-hosts", Integer.toString(count));
        String said = shell.line();
        boolean isMade = said != null && said.startsWith(MADE);
        List<String> names = IntStream.rangeClosed(1, count)
                .mapToObj(host -> "bt" + shell.pid() + "h" + host)
                .toList();
        Hosts hosts = new Hosts(shell, names, isMade ? said.substring(MADE.length()) : "");
        if (!isMade) {
            hosts.close();
            throw new IOException(said == null ? "no answer from the shell that makes them" : said);
        }
        return hosts;
    }

    /** {@return why hosts cannot be created here; null when they can} */
    public static String refusal() {
        try {
            make(1).close();
            return null;
        } catch (IOException refused) {
            return refused.getMessage();
        }
    }

    /** {@return why random packets cannot be lost here; null when they can} */
    public static String refusalOfLoss() {
        try {
            run("nft --version");
            return null;
        } catch (IOException absent) {
            return absent.getMessage();
        }
    }

    /** {@return the number of hosts; they are numbered from 0} */
    public int count() {
        return names.size();
    }

    /** The address of this side, where the laboratory is. */
    public String here() {
        return network + ".254";
    }

    public String address(int host) {
        return network + "." + (host + 1);
    }

    /** {@return the command that runs another command on that host} */
    public List<String> on(int host) {
        return List.of("ip", "netns", "exec", names.get(host));
    }

    /** Cuts a host's link, or repairs it: packets are lost, connections stay. */
    public void cut(int host, boolean isCut) {
        change("ip link set " + names.get(host) + (isCut ? " down" : " up"));
    }

    /** Stops every packet between two hosts, or lets it pass; all others reach both. */
    public void part(int one, int other, boolean isParted) {
        for (int host : new int[] {one, other}) {
            change("ip link set dev " + names.get(host) + " type bridge_slave isolated " + (isParted ? "on" : "off"));
        }
    }

    /** Lets no more than 8 Mbit/s through a host's link in each direction, or all again. What does not fit is lost. */
    public void slow(int host, boolean isSlow) {
        String shaper = isSlow ? " root tbf rate " + SLOW_RATE + " burst 32kb latency 200ms" : " root";
        String qdisc = "tc qdisc " + (isSlow ? "add" : "delete") + " dev ";
        change(qdisc + names.get(host) + shaper);
        change(host, qdisc + "eth0" + shaper);
    }

    /** Loses one in a hundred of the packets that reach hosts, drawn at random by each of them, or none. */
    public void lose(boolean isLossy) {
        for (int host = 0; host < count(); host++) {
            change(host, isLossy ? LOSS : "nft delete table inet baton");
        }
    }

    /** Ends each connection between a host and another with a reset on both sides. */
    public void reset(int host) {
        change(host, "ss --kill --tcp state connected dst " + network + ".0/24");
    }

    private void change(int host, String command) {
        change(String.join(" ", on(host)) + " " + command);
    }

    /**
     * Changes the network.
     *
     * @param command with a blank before each of its arguments
     */
    private static void change(String command) {
        CommandException.guarded("the network of the hosts cannot be changed", () -> run(command));
    }

    private static void run(String command) throws IOException {
        Tool ended = Tool.run(List.of(command.split(" ")));
        if (!ended.isOk()) {
            throw new IOException(command + ": " + ended.all());
        }
    }

    /** Removes them; what still runs there has no network then. Idempotent. */
    @Override
    public void close() {
        shell.close();
    }
}
