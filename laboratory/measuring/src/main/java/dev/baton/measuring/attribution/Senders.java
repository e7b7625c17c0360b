package dev.baton.measuring.attribution;

import dev.baton.measuring.SlowMessage;
import dev.baton.measuring.data.Tail.Cause;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * The gaps of all threads that sent messages, and the reasons for which they slept. A message does not name its thread: it is assigned to
 * the thread whose gap ended last before the send, and only to that thread's gaps. Immutable, thread-safe.
 */
public final class Senders {
    /** The value for unknown senders. */
    public static final Senders UNKNOWN = new Senders(List.of(), 0);

    private final List<SenderGap> byEnd;
    private final long origin; // moments are compared by their distance from it
    private final long budgetNanos;

    /**
     * Creates the senders.
     *
     * @param budgetNanos latency budget of the loops that send, which is the longest wait that it explains; 0 for none
     */
    public Senders(List<SenderGap> gaps, long budgetNanos) {
        origin = gaps.isEmpty() ? 0 : gaps.get(0).endNanos();
        byEnd = new ArrayList<>(gaps);
        byEnd.sort(Comparator.comparingLong(gap -> gap.endNanos() - origin));
        this.budgetNanos = budgetNanos;
    }

    /** Returns the cause of the part of a gap in which the thread slept. */
    Cause idleCause(SenderGap gap) {
        return gap.endNanos() - gap.startNanos() <= budgetNanos ? Cause.GENERATOR_PACED : Cause.GENERATOR_PARKED;
    }

    /** Returns the gaps of the message's sender that overlap the time between its slot and its send, in order. */
    List<SenderGap> gapsOf(SlowMessage message) {
        List<SenderGap> found = new ArrayList<>();
        int thread = -1;
        for (int i = endedBy(message.sentNanos()) - 1; i >= 0; i--) {
            SenderGap gap = byEnd.get(i);
            if (gap.endNanos() - message.slotNanos() <= 0) {
                break;
            }
            if (thread < 0) {
                thread = gap.thread();
            }
            if (gap.thread() == thread) {
                found.add(gap);
            }
        }
        Collections.reverse(found);
        return found;
    }

    /** Returns the number of gaps that ended at a moment or before it. */
    private int endedBy(long nanos) {
        int low = 0;
        int high = byEnd.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (byEnd.get(middle).endNanos() - nanos <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
