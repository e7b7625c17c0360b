package dev.baton.lab.study.chaos;

import dev.baton.Claim;
import dev.baton.MessageFields;
import dev.baton.Outlet;
import dev.baton.RunningChain;
import dev.baton.Source;
import dev.baton.lab.study.chaos.audit.NumberedMessage;
import dev.baton.lab.study.chaos.audit.ProvidedNumbers;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** The sender: feeds the chain on a fixed schedule, and reports the stored messages. Its threads are those of its parent. */
final class SendingEnd extends ChainEnd {
    private final ProvidedNumbers provided; // null: numbered messages
    private NumberedSource source;
    private long base;
    private long told;

    SendingEnd(Plan plan) {
        super(plan);
        provided = plan.numbers();
        base = plan.baseNanos();
    }

    @Override
    RunningChain start(Transport transport, Loops loops, Consumer<Throwable> onFailure) {
        source = new NumberedSource();
        return deployment(transport, loops, onFailure).from(source).start();
    }

    @Override
    void tell(RunningChain running) {
        if (source.first < 0) {
            return;
        }
        if (!hasBegun) {
            hasBegun = true;
            base = source.baseNanos;
            System.out.println(SenderWords.began(source.first, base));
            return;
        }
        long stored = plan.deleted()
                + running.status().parts().stream()
                        .mapToLong(part -> part.output().stored())
                        .findFirst()
                        .orElse(0);
        if (stored > Math.max(told, plan.deleted())) {
            told = stored;
            System.out.println(SenderWords.stored(stored));
        }
    }

    /**
     * Sends message n at the n-th slot of a fixed schedule, late ones as fast as there is room. The topic determines the next message, so
     * that a killed sender continues after the last stored one. Confined to its loop; any thread may read its report.
     */
    private final class NumberedSource implements Source {
        private static final int MOST_PER_TURN = 256;
        private volatile long baseNanos = base; // time of the first slot; 0: that of the first turn

        /** Number of the first message that this source sends or will send; -1 until it has been asked. */
        private volatile long first = -1;

        private final MessageFields fields = new MessageFields();
        private long next = 1;

        @Override
        public int onTick(Outlet out) {
            long now = System.nanoTime();
            next = plan.deleted() + out.sequence() + 1;
            if (first < 0) {
                baseNanos = baseNanos == 0 ? now : baseNanos;
                first = next;
            }
            int sent = 0;
            while (slot(next) <= now && sent < MOST_PER_TURN && out.remainingCapacity() > 0) {
                int most = provided == null ? NumberedMessage.BYTES : provided.maxPayload();
                Claim claim = out.claim(most, fields.originNanos(slot(next)));
                if (claim == null) {
                    break;
                }
                next = plan.deleted() + claim.commit(write(claim)) + 1;
                sent++;
            }
            return sent;
        }

        private int write(Claim claim) {
            if (provided != null) {
                return provided.write(next, claim);
            }
            NumberedMessage.write(claim::putLong, next, System.nanoTime(), plan.seed());
            return NumberedMessage.BYTES;
        }

        @Override
        public long deadlineNanos() {
            return first < 0 ? System.nanoTime() : slot(next);
        }

        private long slot(long number) {
            return baseNanos + (number - 1) * plan.intervalNanos();
        }
    }

    /**
     * The reports of the sender's process: the newest message that is confirmed as stored, which no later life of the sender may find
     * missing. Thread-safe.
     */
    static final class SenderWords {
        static final String READY = "sends from "; // part of the line that says that it is ready

        private static final String BASE = " base ";
        private static final String STORED = "stored ";
        private static final String REPLIED = "replied ";

        /** The beginning of the line that reports a reply to another request, or a wrong one. */
        static final String WRONG = "wrong reply to request ";

        volatile long baseNanos; // when the schedule began; 0: not yet
        volatile long stored; // the newest message known to be stored
        volatile String replied; // newest report of an asker in this life; null for none
        final Queue<String> wrong = new ConcurrentLinkedQueue<>();
        volatile long takenBack; // messages that had been vouched for and were not there when the sender started again

        static String began(long first, long baseNanos) {
            return READY + first + BASE + baseNanos;
        }

        static String stored(long sequence) {
            return STORED + sequence;
        }

        static String replied(long replies, long failures) {
            return REPLIED + replies + ", without a reply " + failures;
        }

        /** {@return whether a line is only one of many that report progress} */
        static boolean isProgress(String line) {
            return line.startsWith(STORED) || line.startsWith(REPLIED);
        }

        /** Handles a line of the process; other lines are ignored. */
        synchronized void onLine(String line) {
            if (line.startsWith(REPLIED)) {
                replied = line;
            } else if (line.startsWith(WRONG)) {
                wrong.add(line);
            } else if (line.startsWith(STORED)) {
                stored = Math.max(stored, Long.parseLong(line.substring(STORED.length())));
            } else if (line.startsWith(READY)) {
                int at = line.indexOf(BASE);
                long first = Long.parseLong(line.substring(READY.length(), at));
                baseNanos = Long.parseLong(line.substring(at + BASE.length()));
                takenBack += Math.max(0, stored - (first - 1));
            }
        }
    }
}
