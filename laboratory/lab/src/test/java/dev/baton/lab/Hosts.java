package dev.baton.lab;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Network namespaces with a virtual link to a bridge each: hosts that share a processor, and a network in which packets can be
 * dropped. Needs root and iproute2; {@link #refusal()} says what keeps it from being made. Confined to one thread.
 */
final class Hosts implements AutoCloseable {
    /** For benchmarks of networks, so that no host of a sane network has it (RFC 2544). */
    private static final String NETWORK = "198.18.77.";

    private final String bridge = "bt" + Long.toString(ProcessHandle.current().pid(), 36);
    private final List<String> names = new ArrayList<>();

    /** Makes the bridge and so many hosts; nothing is left when that fails. */
    Hosts(int count) throws IOException, InterruptedException {
        try {
            run("ip", "link", "add", bridge, "type", "bridge");
            run("ip", "address", "add", here() + "/24", "dev", bridge);
            run("ip", "link", "set", bridge, "up");
            for (int host = 0; host < count; host++) {
                String name = bridge + "h" + host;
                run("ip", "netns", "add", name);
                names.add(name);
                run("ip", "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name);
                run("ip", "link", "set", name, "master", bridge, "up");
                run("ip", "-n", name, "address", "add", address(host) + "/24", "dev", "eth0");
                run("ip", "-n", name, "link", "set", "eth0", "up");
                run("ip", "-n", name, "link", "set", "lo", "up");
            }
        } catch (IOException | InterruptedException | RuntimeException failed) {
            close();
            throw failed;
        }
    }

    /** Why hosts cannot be made here; null when they can. */
    static String refusal() throws InterruptedException {
        String name = "bt" + Long.toString(ProcessHandle.current().pid(), 36) + "t";
        try {
            run("ip", "netns", "add", name);
            run("ip", "netns", "delete", name);
            return null;
        } catch (IOException refused) {
            return refused.getMessage();
        }
    }

    /** The address of this side, where brokers and the laboratory are. */
    String here() {
        return NETWORK + 254;
    }

    String address(int host) {
        return NETWORK + (host + 1);
    }

    /** What runs a command on that host. */
    List<String> on(int host) {
        return List.of("ip", "netns", "exec", names.get(host));
    }

    /** Cuts a host's link, or repairs it: packets are lost, connections stay. */
    void cut(int host, boolean isCut) throws IOException, InterruptedException {
        run("ip", "link", "set", names.get(host), isCut ? "down" : "up");
    }

    @Override
    public void close() {
        for (String name : names) {
            quietly("ip", "netns", "delete", name);
        }
        quietly("ip", "link", "delete", bridge);
    }

    private static void quietly(String... command) {
        try {
            run(command);
        } catch (IOException gone) {
            // it is what was wanted
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes()).strip();
        if (!process.waitFor(10, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException(String.join(" ", command) + ": " + said);
        }
    }
}
