package dev.baton.lab.launch;

import dev.baton.lab.launch.jvm.InstalledJvm;
import dev.baton.lab.request.Study;
import dev.baton.operations.line.Interruption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A study's program in addition to its trial, in a separate JVM outside of the trial's control group: the JVM that runs this, whichever is
 * measured. It ends when this is closed, and when this process ends. Confined to one thread, except for the static methods, which the
 * program and the trial call.
 */
public final class Companion implements AutoCloseable {
    private static final Companion NONE = new Companion(null, List.of());
    private static final String PORT = "baton.lab.companion.port";
    private static final String READY = "companion on port ";
    private static final List<String> FLAGS = List.of("-Xmx512m");
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final TiedJvm jvm; // null: none
    private final List<String> flags;

    private Companion(TiedJvm jvm, List<String> flags) {
        this.jvm = jvm;
        this.flags = flags;
    }

    /**
     * Starts what the study asks for, and waits until it listens.
     *
     * @throws dev.baton.operations.line.CommandException when it cannot be started
     */
    static Companion of(Study study, BooleanSupplier isStopRequested) throws InterruptedException {
        if (study.companion() == null) {
            return NONE;
        }
        List<String> flags = new ArrayList<>();
        List<String> command = InstalledJvm.current().command(FLAGS, study.companion());
        TiedJvm jvm = TiedJvm.start("the clients' process", command, READY, line -> {
            if (line.startsWith(READY)) {
                flags.add("-D" + PORT + "=" + line.substring(READY.length()).trim());
            }
        });
        try {
            jvm.awaitReady(START_LIMIT.toNanos(), isStopRequested);
            return new Companion(jvm, List.copyOf(flags));
        } catch (InterruptedException | RuntimeException failed) {
            jvm.close();
            throw failed;
        }
    }

    /** {@return the flags with which the trial's JVM finds it} */
    List<String> flags() {
        return flags;
    }

    /** Reports that the program listens; called in the program. */
    public static void announce(int port) {
        System.out.println(READY + port);
    }

    /** Ends the program at once when its standard input ends. */
    public static void endWithStandardInput() {
        Interruption parent = new Interruption();
        parent.stopping(() -> Runtime.getRuntime().halt(0));
        parent.requestAtEndOfInput("baton-lab-parent");
    }

    /** {@return the program's port, in the trial} */
    public static int port() {
        Integer port = Integer.getInteger(PORT);
        if (port == null) {
            throw new IllegalStateException("no " + PORT + ": this trial was started without its companion");
        }
        return port;
    }

    @Override
    public void close() {
        if (jvm != null) {
            jvm.close();
        }
    }
}
