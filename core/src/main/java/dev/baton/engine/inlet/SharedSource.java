package dev.baton.engine.inlet;

import dev.baton.Claim;
import dev.baton.Outlet;
import dev.baton.SharedInlet;
import dev.baton.Source;
import dev.baton.engine.chain.ChainState;
import dev.baton.engine.message.BackPressureMonitor;
import dev.baton.engine.writing.WriterOutlet;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The source that sends the messages of a {@link SharedInlet} in one run of its chain and completes their futures. Messages
 * that it has taken and not sent return to the inlet when the run ends, and the next run sends them. Confined to the run's
 * loop.
 */
public final class SharedSource implements Source, SourcePart.Debt {
    private final InletQueue inlet;
    private final ChainState run;
    private final Queue<InletQueue.Unstored> unstored = new ArrayDeque<>(); // sent messages by sequence
    private final BackPressureMonitor refusals;
    private boolean isOpen; // since the first turn
    private InletQueue.Waiting next; // message taken from the inlet and not sent yet

    public SharedSource(InletQueue inlet, ChainState run, String topic) {
        this.inlet = inlet;
        this.run = run;
        this.refusals = new BackPressureMonitor(topic, run.environment());
        inlet.sentWith(refusals);
    }

    /** Sends the waiting messages, as far as there is room. */
    @Override
    public int onTick(Outlet out) {
        if (!isOpen) {
            isOpen = true;
            inlet.opened(((WriterOutlet) out).writer());
        }
        int sent = 0;
        for (next = next == null ? inlet.poll() : next; next != null; next = inlet.poll()) {
            Claim claim = claim(next, (WriterOutlet) out);
            if (claim == null) {
                refusals.refused(((WriterOutlet) out).writer());
                return sent;
            }
            refusals.granted();
            long sequence = claim.type(next.type())
                    .putBytes(0, next.payload(), 0, next.payload().length)
                    .commit(next.payload().length);
            if (next.stored() != null || next.isRemembered()) {
                unstored.add(new InletQueue.Unstored(sequence, next));
            }
            sent++;
        }
        return sent;
    }

    private static Claim claim(InletQueue.Waiting message, WriterOutlet out) {
        InletQueue.Request request = message.request();
        if (request != null) {
            out.frames().request().set(request.asker(), request.number());
        }
        try {
            return out.claim(message.payload().length, message.originNanos(), message.key(), message.trace());
        } finally {
            out.frames().request().clear();
        }
    }

    @Override
    public boolean isOwed() {
        return next != null || inlet.isWaiting() || !unstored.isEmpty();
    }

    @Override
    public void stored(long sequence) {
        for (InletQueue.Unstored first = unstored.peek();
                first != null && first.sequence() <= sequence;
                first = unstored.peek()) {
            unstored.remove();
            if (first.message().stored() != null) {
                inlet.answered(first.message());
                first.message().stored().complete(first.sequence());
            }
        }
    }

    /**
     * Completes the futures of unstored messages exceptionally, as it is unknown whether these are stored, and returns an
     * unsent message and the remembered requests to the inlet.
     */
    @Override
    public void ended() {
        for (InletQueue.Unstored each = unstored.poll(); each != null; each = unstored.poll()) {
            if (each.message().stored() == null) {
                inlet.unresolved(each);
            } else {
                inlet.answered(each.message());
                each.message().stored().completeExceptionally(InletQueue.ending(run));
            }
        }
        if (next != null) {
            inlet.giveBack(next);
            next = null;
        }
        inlet.endIfOver();
    }
}
