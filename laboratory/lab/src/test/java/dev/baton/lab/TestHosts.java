package dev.baton.lab;

import static org.junit.jupiter.api.Assumptions.abort;

import dev.baton.lab.launch.Hosts;
import java.io.IOException;

/** Hosts for a test, which is skipped loudly where this machine does not allow them. Stateless, thread-safe. */
public final class TestHosts {
    /** Tests with processes on several hosts run one after the other: a broker gets no answer out of a busy machine. */
    public static final String LOCK = "hosts";

    private TestHosts() {}

    /** Makes them, or ends the test as one that was not run. */
    public static Hosts make(int count) {
        try {
            return Hosts.make(count);
        } catch (IOException refused) {
            return skipped("hosts cannot be created here: " + refused.getMessage());
        }
    }

    /** Ends the test as one that was not run, where hosts cannot be created. */
    public static void require() {
        make(1).close();
    }

    /** Whether packets can be lost between them; says so where a test has to do without. */
    public static boolean canLosePackets() {
        String refusal = Hosts.refusalOfLoss();
        if (refusal != null) {
            System.err.println("NO PACKETS ARE LOST in this test, as this machine does not allow it: " + refusal);
        }
        return refusal == null;
    }

    private static <T> T skipped(String why) {
        System.err.println("SKIPPED, as " + why);
        return abort(why);
    }
}
