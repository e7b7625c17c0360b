package dev.baton.benchmark.machine;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The JVM's own log of its collections and safepoints, switched on while it runs and read when nothing is measured any
 * more. It is stamped with {@link System#nanoTime}, so it lies on the time line of the messages.
 *
 * <p>A flight recording would tell the same, but took 43 MB of memory and 0.7 s of CPU to start where this takes 12 MB
 * and 0.1 s (JDK 17). Confined to one thread.
 */
final class VmLog implements AutoCloseable {
    private static final String COMMANDS = "com.sun.management:type=DiagnosticCommand";

    /** What stops all threads. */
    static final String PAUSES = "gc=info,gc+phases=info,safepoint=info";

    /** The same, and what is compiled or discarded: a line each, written by the compiler's own thread as it begins. */
    static final String PAUSES_AND_COMPILATIONS = PAUSES + ",jit+compilation=debug";

    private final Path file;
    private boolean isOn = true;

    private VmLog(Path file) {
        this.file = file;
    }

    /**
     * Switches the log on.
     *
     * @param what tags and levels, such as {@link #PAUSES}
     * @throws UnsupportedOperationException when this JVM has none
     */
    static VmLog start(String what) {
        try {
            Path file = Files.createTempFile("baton-vm", ".log");
            VmLog log = new VmLog(file);
            try {
                String answer =
                        command("output=file=" + file, "output_options=filecount=0", "what=" + what, "decorators=tn");
                if (!answer.isBlank()) {
                    throw new UnsupportedOperationException(answer.strip());
                }
                return log;
            } catch (JMException | RuntimeException refused) {
                Files.deleteIfExists(file);
                throw new UnsupportedOperationException("this JVM does not log its pauses: " + refused, refused);
            }
        } catch (IOException unwritable) {
            throw new UnsupportedOperationException("no file for the JVM's log: " + unwritable, unwritable);
        }
    }

    /** Switches it off and reads what stopped the JVM in a window. */
    Pauses stop(long startNanos, long endNanos) throws IOException {
        return Pauses.parse(stop(), startNanos, endNanos);
    }

    /** Switches it off and reads all of it. */
    List<String> stop() throws IOException {
        switchOff();
        return Files.readAllLines(file);
    }

    private void switchOff() throws IOException {
        if (isOn) {
            isOn = false;
            try {
                command("output=file=" + file, "what=all=off");
            } catch (JMException refused) {
                throw new IOException("the JVM's log cannot be switched off", refused);
            }
        }
    }

    private static String command(String... arguments) throws JMException {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        return String.valueOf(server.invoke(
                new ObjectName(COMMANDS), "vmLog", new Object[] {arguments}, new String[] {String[].class.getName()}));
    }

    @Override
    public void close() {
        try {
            switchOff();
            Files.deleteIfExists(file);
        } catch (IOException left) {
            System.getLogger("dev.baton.benchmark").log(System.Logger.Level.WARNING, "left behind: " + file, left);
        }
    }
}
