package dev.baton.operations.top;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.baton.manage.StorageWatch.StorageGrowth;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.WholeNumbers;
import dev.baton.status.ChainStatus.HeldBack;
import dev.baton.status.PartStatus;
import dev.baton.status.PartStatus.InputStatus;
import dev.baton.status.PartStatus.OutputStatus;
import dev.baton.status.PartStatus.SnapshotStatus;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.rmi.ConnectException;
import java.rmi.ConnectIOException;
import java.rmi.NoSuchObjectException;
import java.rmi.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import javax.naming.NamingException;

/**
 * Asks one process for the chains that it shows to JMX ({@link dev.baton.manage.ManagedChain}), and their disk: through the port of its JVM, or
 * through its process id on this host, which needs no port. It connects for each reading. Confined to one thread.
 */
final class JmxClient implements ProcessClient {
    private static final long MOST_MILLIS = 5_000;
    private static final String CHAINS = "dev.baton:type=Chain,*";
    private static final String DISKS = "dev.baton:type=Storage,*";
    private static final String[] DISK = {"Bytes", "FreeBytes", "GrowthKnown", "BytesPerHour", "SecondsUntilFull"};
    private static final String[] ATTRIBUTES = {
        "Chain", "Phase", "LastError", "Backlog", "Healthy", "Blocked", "BlockedMillis", "Parts"
    };

    private final String typed;
    private final String host; // null: of a process id
    private final int number; // port or process id
    private FutureTask<ProcessReading> asked; // the late one; null for none

    private JmxClient(String typed, String host, int number) {
        this.typed = typed;
        this.host = host;
        this.number = number;
    }

    /** Creates a client of a process id, or of a host and a port. */
    static JmxClient of(String typed) {
        int colon = typed.lastIndexOf(':');
        try {
            int number = WholeNumbers.parse(typed.substring(colon + 1));
            String host = colon < 0 ? null : typed.substring(0, colon);
            if (number >= 1 && (host == null || number <= 65_535 && host.matches("[\\w.-]+|\\[[0-9a-fA-F:.]+]"))) {
                return new JmxClient(typed, host, number);
            }
        } catch (NumberFormatException malformed) {
            // said below
        }
        throw CommandException.usage("--jmx '" + typed
                + "' names no process; write a process id of this host, or HOST:PORT of a JVM that was started with"
                + " -Dcom.sun.management.jmxremote.port=PORT");
    }

    @Override
    public String name() {
        return host == null ? "process " + number : typed;
    }

    @Override
    public ProcessReading read() {
        long now = System.nanoTime();
        if (asked == null) {
            asked = new FutureTask<>(() -> ask(now));
            Thread asking = new Thread(asked, "baton-top-jmx");
            asking.setDaemon(true); // connecting to a host that is silent takes minutes
            asking.start();
        }
        try {
            ProcessReading answer = asked.get(MOST_MILLIS, TimeUnit.MILLISECONDS);
            asked = null;
            return answer;
        } catch (TimeoutException late) {
            return ProcessReading.failed(now, "no answer within " + MOST_MILLIS / 1_000 + " s");
        } catch (ExecutionException thrown) {
            asked = null;
            return ProcessReading.failed(now, "no answer: " + thrown.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return ProcessReading.failed(now, "interrupted");
        }
    }

    private ProcessReading ask(long now) {
        try (JMXConnector connector = JMXConnectorFactory.connect(address())) {
            MBeanServerConnection server = connector.getMBeanServerConnection();
            List<ProcessReading> chains = new ArrayList<>();
            for (ObjectName each : server.queryNames(new ObjectName(CHAINS), null)) {
                try {
                    chains.add(reading(now, server, each));
                } catch (InstanceNotFoundException closed) {
                    // between the two questions
                }
            }
            return chains.isEmpty()
                    ? ProcessReading.failed(now, "it has no chain in JMX; its code has to call ManagedChain.register")
                    : together(now, chains, disk(server));
        } catch (AttachNotSupportedException notJava) {
            return ProcessReading.failed(
                    now, "process " + number + " is not a JVM that permits attaching: " + notJava.getMessage());
        } catch (SecurityException refused) {
            return ProcessReading.failed(now, "it requires a password or TLS; run top on its host with --jmx PID");
        } catch (LinkageError missing) {
            return ProcessReading.failed(now, "this Java has no module jdk.attach; use a JDK, or --jmx HOST:PORT");
        } catch (IOException | JMException thrown) {
            return ProcessReading.failed(now, problem(thrown));
        }
    }

    private JMXServiceURL address() throws IOException, AttachNotSupportedException {
        if (host != null) {
            return new JMXServiceURL("service:jmx:rmi:///jndi/rmi://" + typed + "/jmxrmi");
        }
        requireJvm();
        VirtualMachine machine = VirtualMachine.attach(Integer.toString(number));
        try {
            return new JMXServiceURL(machine.startLocalManagementAgent());
        } finally {
            machine.detach();
        }
    }

    /** Attaching sends SIGQUIT, at which another program than a JVM would end. */
    private void requireJvm() throws IOException {
        try (Stream<String> maps = Files.lines(Path.of("/proc", Integer.toString(number), "maps"))) {
            if (maps.noneMatch(line -> line.endsWith("/libjvm.so"))) {
                throw new IOException("process " + number + " is not a JVM");
            }
        } catch (NoSuchFileException gone) {
            throw new IOException("there is no process " + number);
        } catch (AccessDeniedException foreign) {
            throw new IOException(refusal(
                    number,
                    Files.getOwner(Path.of("/proc", Integer.toString(number))),
                    Files.getOwner(Path.of("/proc/self"))));
        }
    }

    /**
     * Explains why the kernel does not show a process.
     *
     * @param owner of the process
     * @param self user of this process
     */
    static String refusal(int number, UserPrincipal owner, UserPrincipal self) {
        return owner.equals(self)
                ? "process " + number + " runs as this user (" + owner.getName()
                        + "), but has other privileges, as in a"
                        + " container or under a security module: the kernel does not let this one attach to it; use --jmx"
                        + " HOST:PORT, or run top on its host"
                : "process " + number + " is another user's (" + owner.getName() + "); run top as that user";
    }

    private static ProcessReading reading(long now, MBeanServerConnection server, ObjectName name)
            throws IOException, JMException {
        Attributes chain = new Attributes(server.getAttributes(name, ATTRIBUTES).asList());
        List<PartStatus> parts = Arrays.stream((CompositeData[]) chain.of("Parts"))
                .map(JmxClient::part)
                .toList();
        String phase = (String) chain.of("Phase");
        return new ProcessReading(
                now,
                null,
                (String) chain.of("Chain"),
                phase.toLowerCase(Locale.ROOT),
                (boolean) chain.of("Healthy"),
                (long) chain.of("Backlog"),
                ProcessReading.UNKNOWN,
                (String) chain.of("LastError"),
                (String) chain.of("Blocked"),
                nanos((long) chain.of("BlockedMillis")),
                parts,
                List.of(),
                null,
                Map.of());
    }

    /** The disk that will be full first; null when none is shown, or its growth is unknown. */
    private static StorageGrowth disk(MBeanServerConnection server) throws IOException, JMException {
        StorageGrowth first = null;
        for (ObjectName each : server.queryNames(new ObjectName(DISKS), null)) {
            Attributes disk = new Attributes(server.getAttributes(each, DISK).asList());
            long seconds = (long) disk.of("SecondsUntilFull");
            boolean isFirst = first == null
                    || seconds >= 0 && (first.secondsUntilFull() == null || seconds < first.secondsUntilFull());
            if ((long) disk.of("Bytes") >= 0 && isFirst) {
                first = new StorageGrowth(
                        (long) disk.of("Bytes"),
                        (long) disk.of("FreeBytes"),
                        (boolean) disk.of("GrowthKnown") ? (Long) disk.of("BytesPerHour") : null,
                        seconds < 0 ? null : (Long) seconds);
            }
        }
        return first;
    }

    /** The result of one query to a chain or a disk. */
    private record Attributes(List<Attribute> all) {
        Object of(String name) throws IOException {
            for (Attribute each : all) {
                if (each.getName().equals(name)) {
                    return each.getValue();
                }
            }
            throw new IOException("the MBean has no attribute " + name + "; it may be of another version of Baton");
        }
    }

    /** Returns the status of a part; it lacks the attributes that are not shown. */
    private static PartStatus part(CompositeData part) {
        return new PartStatus(
                (String) part.get("name"),
                input(part),
                output(part),
                nanos((long) part.get("idleMillis")),
                snapshot(part));
    }

    private static InputStatus input(CompositeData part) {
        String topic = (String) part.get("input");
        return topic.isEmpty()
                ? null
                : new InputStatus(
                        topic,
                        (long) part.get("consumed"),
                        (long) part.get("backlog"),
                        nanos((long) part.get("unreadMillis")),
                        0,
                        0);
    }

    private static OutputStatus output(CompositeData part) {
        String topic = (String) part.get("output");
        return topic.isEmpty()
                ? null
                : new OutputStatus(
                        topic,
                        (long) part.get("sent"),
                        (long) part.get("stored"),
                        nanos((long) part.get("unstoredMillis")),
                        heldBack(part));
    }

    private static HeldBack heldBack(CompositeData part) {
        if (!part.containsKey("heldBackBy") || ((String) part.get("heldBackBy")).isEmpty()) {
            return null;
        }
        return new HeldBack(
                (String) part.get("output"),
                (String) part.get("heldBackBy"),
                (long) part.get("heldBackFrames"),
                nanos((long) part.get("heldBackMillis")));
    }

    private static SnapshotStatus snapshot(CompositeData part) {
        if (!part.containsKey("snapshotInput") || (long) part.get("snapshotInput") < 0) {
            return null;
        }
        return new SnapshotStatus(
                false,
                false,
                (long) part.get("snapshotInput"),
                (long) part.get("snapshotBytes"),
                (long) part.get("recoveryBytes"),
                ProcessReading.UNKNOWN,
                nanos((long) part.get("snapshotAgeMillis")),
                (boolean) part.get("snapshotLate"),
                0,
                ProcessReading.UNKNOWN);
    }

    private static long nanos(long millis) {
        return millis < 0 ? ProcessReading.UNKNOWN : TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Combines all chains of a process into one reading: the first unhealthy chain determines its health. */
    private static ProcessReading together(long now, List<ProcessReading> chains, StorageGrowth disk) {
        ProcessReading worst =
                chains.stream().filter(each -> !each.isHealthy()).findFirst().orElse(chains.get(0));
        boolean isBacklogKnown = chains.stream().noneMatch(each -> each.backlog() < 0);
        return new ProcessReading(
                now,
                null,
                String.join(
                        ", ",
                        chains.stream().map(ProcessReading::service).sorted().toList()),
                worst.state(),
                worst.isHealthy(),
                isBacklogKnown
                        ? chains.stream().mapToLong(ProcessReading::backlog).sum()
                        : ProcessReading.UNKNOWN,
                ProcessReading.UNKNOWN,
                lastError(chains, worst),
                worst.blocked(),
                worst.blockedNanos(),
                chains.stream().flatMap(each -> each.parts().stream()).toList(),
                List.of(),
                disk,
                Map.of());
    }

    private static String lastError(List<ProcessReading> chains, ProcessReading worst) {
        return Stream.concat(Stream.of(worst), chains.stream())
                .map(ProcessReading::lastError)
                .filter(each -> !each.isEmpty())
                .findFirst()
                .orElse("");
    }

    private String problem(Exception thrown) {
        Throwable cause = thrown;
        while (cause.getCause() != null || cause instanceof NamingException naming && naming.getRootCause() != null) {
            cause = cause.getCause() != null ? cause.getCause() : ((NamingException) cause).getRootCause();
        }
        if (cause instanceof java.net.ConnectException
                || cause instanceof ConnectException
                || cause instanceof ConnectIOException
                || cause instanceof NoSuchObjectException) {
            return "nothing answers there; start the JVM with -Dcom.sun.management.jmxremote.port=" + number;
        }
        if (cause instanceof java.net.UnknownHostException || cause instanceof UnknownHostException) {
            return "host " + host + " is not known";
        }
        return cause instanceof IOException && host == null && cause.getMessage() != null
                ? cause.getMessage()
                : "no answer: " + cause;
    }
}
