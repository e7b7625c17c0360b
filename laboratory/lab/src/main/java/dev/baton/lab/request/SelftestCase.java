package dev.baton.lab.request;

import dev.baton.operations.settings.Checksum;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The cases of the self-test: what is proved, in the words of the errors that are known from other rigs. Their list is
 * the self-test's identity, which every experiment names. Immutable, thread-safe.
 */
public enum SelftestCase {
    OMISSION("late wake-up moves send times"),
    GENERATOR_STALL("a stall in the generator"),
    SERVICE_STALL("a stall in a service"),
    RECEIVER_STALL("a stall in the receiver"),
    STALL_ARITHMETIC("share of messages that a stall delays"),
    DELAYS("fixed delays"),
    MILLISECOND_CLOCK("millisecond clock drops values"),
    TOO_FEW_SAMPLES("too few samples quoted"),
    BURSTS("a rate limiter that bursts"),
    ARRIVALS("bursts smoothed"),
    READINGS("slot and send confused"),
    LATE_GENERATOR("a late generator not reported"),
    COST("idle cores left out of the cost"),
    KEY_ORDER("keys in another order"),
    POOLING("trials averaged, not pooled"),
    MERGE("merged intervals"),
    AVERAGES("averaged percentiles"),
    WORST_INSTANCE("one instance breaks the limit"),
    LOSSES("losses"),
    DUPLICATES("duplicates"),
    REORDERINGS("reorderings"),
    CORRUPTION("corruption"),
    UNSENT("unsent messages"),
    UNDELIVERED("undelivered messages missing"),
    UNDRAINED("messages in flight at the end reported as lost"),
    CLAMP("a clamp in the histogram"),
    STOPPED_PROCESS("a stopped process"),
    HOST_STALL("a host stall breaks a limit"),
    THEFT("stolen CPU time adds up"),
    DECIMAL_COMMA("decimal commas hide pauses"),
    NEIGHBOURS("load of other processes reported as FAIL"),
    COMPARISON("two builds compared"),
    TRUNCATED_POLL("truncated poll timeouts"),
    FRESH_JVM("several transports in one JVM");

    /** The version of the cases; raised when a case changes its question and keeps its name. */
    private static final int VERSION = 1;

    private static final int DIGITS = 8;

    private final String title;

    SelftestCase(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }

    public String typed() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the identity of all cases: their version, and the beginning of the SHA-256 of their sorted names. */
    public static String identity() {
        String names = Arrays.stream(values()).map(SelftestCase::typed).sorted().collect(Collectors.joining("\n"));
        byte[] hash = Checksum.of(names.getBytes(StandardCharsets.UTF_8));
        return VERSION + "-" + HexFormat.of().formatHex(hash).substring(0, DIGITS);
    }
}
