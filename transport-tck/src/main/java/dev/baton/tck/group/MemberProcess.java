package dev.baton.tck.group;

import dev.baton.partitions.Partitions.PartitionChange;
import dev.baton.spi.TransportProvider;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A {@link GroupMember} in a JVM of its own, which a test kills. {@link #main} runs in that JVM. Opened and closed by one thread. */
public final class MemberProcess implements AutoCloseable {
    private static final int FIRST_OPTION = 5;
    private static final long END_SECONDS = 10;

    private final Process process;
    private final Set<Integer> held = new ConcurrentSkipListSet<>();
    private final Thread listener;

    MemberProcess(
            String transport,
            String chain,
            String member,
            int partitions,
            Duration session,
            Map<String, String> options) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                "-cp",
                System.getProperty("java.class.path"),
                MemberProcess.class.getName(),
                transport,
                chain,
                member,
                Integer.toString(partitions),
                Long.toString(session.toMillis())));
        options.forEach((key, value) -> command.add(key + "=" + value));
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        listener = new Thread(this::listen, "member-process-listener");
        listener.setDaemon(true);
        listener.start();
    }

    /** Returns the partitions that the member has reported as assigned. */
    Set<Integer> held() {
        return held;
    }

    /** Kills the member: nothing is drained, stored or reported. */
    void kill() {
        process.destroyForcibly();
        await();
    }

    /** Stops the process with SIGSTOP: it exists, but does nothing. */
    void pause() {
        signal("STOP");
    }

    /** Continues the process after {@link #pause}. */
    void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            Process sent = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
            if (sent.waitFor() != 0) {
                throw new AssertionError("kill -" + name + " failed");
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void listen() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ");
                int partition = Integer.parseInt(words[1]);
                if (words[0].equals(PartitionChange.Kind.ASSIGNED.name())) {
                    held.add(partition);
                } else {
                    held.remove(partition);
                }
            }
        } catch (IOException ended) {
            // the process has ended
        }
    }

    private void await() {
        try {
            process.waitFor(END_SECONDS, TimeUnit.SECONDS);
            listener.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        kill();
    }

    /**
     * Runs a member until its standard input ends, and prints each change of a partition.
     *
     * @param args transport, chain, member, partitions, session timeout in milliseconds, options as {@code key=value}
     */
    public static void main(String[] args) throws IOException {
        TransportProvider provider = ServiceLoader.load(TransportProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.name().equals(args[0]))
                .findFirst()
                .orElseThrow();
        Map<String, String> options = Arrays.stream(args)
                .skip(FIRST_OPTION)
                .map(each -> each.split("=", 2))
                .collect(Collectors.toMap(each -> each[0], each -> each[1]));
        GroupMember member = new GroupMember(
                GroupMember.chain(args[1]),
                args[2],
                Integer.parseInt(args[3]),
                provider.open(options),
                Duration.ofMillis(Long.parseLong(args[4])),
                MemberProcess::print);
        while (System.in.read() >= 0) {
            // the end of the input ends the member
        }
        member.close();
    }

    private static void print(PartitionChange change) {
        System.out.println(change.kind() + " " + change.partition());
        System.out.flush();
    }
}
