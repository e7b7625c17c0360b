package dev.baton.lab.engines;

import java.util.Arrays;

/**
 * The sent messages by the time of their send, for messages without another identification of their slot. Times increase strictly. Entries
 * of arrived messages are removed after {@value #KEPT} more, so that a late copy is still found. Confined to the one thread that sends and
 * receives.
 */
final class SentLog {
    private static final int KEPT = 1024;

    private long[] stamps = new long[4 * KEPT];
    private long[] origins = new long[stamps.length];
    private int[] tags = new int[stamps.length];
    private int first; // of those that are kept
    private int end;
    private int found;
    private long lastStamp = Long.MIN_VALUE;

    /** Enters a message that is sent now. @return its time, later than that of any other */
    long add(long originNanos, int tag, long nowNanos) {
        if (end == stamps.length) {
            makeRoom();
        }
        lastStamp = lastStamp == Long.MIN_VALUE || nowNanos - lastStamp > 0 ? nowNanos : lastStamp + 1;
        stamps[end] = lastStamp;
        origins[end] = originNanos;
        tags[end] = tag;
        end++;
        return lastStamp;
    }

    private void makeRoom() {
        int kept = end - first;
        int size = kept > stamps.length / 2 ? 2 * stamps.length : stamps.length;
        stamps = Arrays.copyOfRange(stamps, first, first + size);
        origins = Arrays.copyOfRange(origins, first, first + size);
        tags = Arrays.copyOfRange(tags, first, first + size);
        found -= first;
        first = 0;
        end = kept;
    }

    /** Looks for a message; {@link #originNanos} and {@link #tag} are its own then. @return false: none was sent then */
    boolean find(long stamp) {
        int next = found + 1;
        found = next >= first && next < end && stamps[next] == stamp
                ? next
                : Arrays.binarySearch(stamps, first, end, stamp); // nanoTime does not wrap within a trial
        if (found < 0) {
            found = first - 1;
            return false;
        }
        first = Math.max(first, found - KEPT);
        return true;
    }

    /** {@return the origin of the message that was found} */
    long originNanos() {
        return origins[found];
    }

    /** {@return the tag of the message that was found} */
    int tag() {
        return tags[found];
    }
}
