package dev.baton.lab.study.chaos.audit;

import dev.baton.StatefulService;
import dev.baton.lab.study.window.StatefulWindow;
import dev.baton.measuring.Mix;
import dev.baton.spi.Frame;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The outputs of a {@link StatefulWindow} for the messages of a topic without faults, computed independently: the messages of each key up
 * to the end of each step, and their differences. Immutable, thread-safe.
 *
 * <p>A step is as long as {@value #EVENTS} slots of the sender, so that the number of a message determines its step. Results have their own
 * numbers, counted from 1: those of one window follow each other in the order of the keys, and each window those of the one before.
 *
 * @param index of the topic that holds the results
 * @param windows that are due
 * @param before by step, counted from 1, and key: messages up to its end
 */
public record WindowResults(int index, int windows, int[][] before) {
    public static final int KEYS = 32; // keys of the messages, all of which each window emits
    public static final int EVENTS = 40; // slots of a step
    public static final int STEPS = 500; // steps of a window: long enough for many snapshots and faults to lie in each

    /** The most bytes that a snapshot takes, about. */
    public static final int SNAPSHOT_BYTES = Integer.BYTES * (STEPS + 1) * KEYS + 1024;

    /** Creates the results for a topic with these messages. */
    public static WindowResults of(int index, BitSet numbers) {
        int windows = windowsOf(Math.max(0, numbers.length() - 1));
        int[][] before = new int[windows + 1][];
        before[0] = new int[KEYS];
        int number = 1;
        for (int step = 1; step <= windows; step++) {
            int[] counts = Arrays.copyOf(before[step - 1], KEYS);
            for (; number <= step * EVENTS; number++) {
                counts[key(number)] += numbers.get(number) ? 1 : 0;
            }
            before[step] = counts;
        }
        return new WindowResults(index, windows, before);
    }

    /** Returns the results of a later topic, behind services that forward. @param furtherIndex of it */
    public WindowResults at(int furtherIndex) {
        return new WindowResults(furtherIndex, windows, before);
    }

    /** The service, with empty counts. @param intervalNanos between two slots */
    public static StatefulService service(long intervalNanos) {
        return new StatefulWindow(KEYS, STEPS, EVENTS * intervalNanos, in -> key(in.getLong(0)));
    }

    private static int key(long number) {
        return Math.floorMod(Mix.of(0, number), KEYS);
    }

    /** Windows that have ended when this is the newest message: a message of a later step ends them. */
    private static int windowsOf(long newest) {
        return newest == 0 ? 0 : Math.toIntExact((newest - 1) / EVENTS);
    }

    /** The newest result that is due when this is the newest message that the window was delivered. */
    public static long due(long newest) {
        return (long) windowsOf(newest) * KEYS;
    }

    /** The newest message that counts in a window of which this is the newest result. */
    public static long newestCounted(long result) {
        return result / KEYS * EVENTS;
    }

    /** The number of a result. @param window it is of, counted from 1 */
    public static long number(int window, int key) {
        return (window - 1L) * KEYS + key + 1;
    }

    /** {@return whether a type and a payload are those of a result, due or not} */
    public static boolean isResult(int type, long payload) {
        int key = StatefulWindow.key(payload);
        return type > 0 && key >= 0 && key < KEYS;
    }

    /** The newest result that is due. */
    public long due() {
        return (long) windows * KEYS;
    }

    /** The number of a result that is due; 0: it is none. */
    public long number(Frame frame) {
        boolean isDue = frame.length() == StatefulWindow.RESULT_BYTES
                && frame.servicesPassed() == index
                && isResult(frame.type(), frame.getLong(0))
                && frame.type() <= windows;
        return isDue ? number(frame.type(), StatefulWindow.key(frame.getLong(0))) : 0;
    }

    /** {@return whether it is the right result} */
    public boolean isWhole(Frame frame) {
        return number(frame) > 0
                && count(frame.type(), StatefulWindow.key(frame.getLong(0))) == StatefulWindow.count(frame.getLong(0));
    }

    private int count(int window, int key) {
        return before[window][key] - before[Math.max(0, window - STEPS)][key];
    }

    /** Describes the fault of a wrong result. */
    public String fault(Frame frame) {
        if (number(frame) == 0) {
            return "sequence " + frame.sequence() + " is not a result that is due";
        }
        int key = StatefulWindow.key(frame.getLong(0));
        return name(number(frame)) + " at sequence " + frame.sequence() + " counts "
                + StatefulWindow.count(frame.getLong(0)) + " messages instead of " + count(frame.type(), key);
    }

    public static String name(long number) {
        return "key " + (number - 1) % KEYS + " of window " + ((number - 1) / KEYS + 1);
    }
}
