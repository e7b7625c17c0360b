package dev.baton.lab.study.chaos;

import dev.baton.Chain;
import dev.baton.Message;
import dev.baton.RunningChain;
import dev.baton.lab.study.chaos.audit.NumberedMessage;
import dev.baton.lab.study.chaos.audit.ProvidedNumbers;
import dev.baton.lab.study.chaos.audit.SumOfNumbers;
import dev.baton.lab.study.chaos.audit.WindowResults;
import dev.baton.lab.study.window.StatefulWindow;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.agrona.CloseHelper;

/**
 * The receiver: notes every message that comes out before it is consumed. The one of a composed chain taps the merged topic,
 * and keeps a journal for each of its inputs. Threads as its parent.
 */
final class ChaosReceiver extends ChainEnd {
    private static final String CONSUMER = "receiver";

    private final ProvidedNumbers provided; // null: sums of numbered messages, or results of a window
    private final ProvidedNumbers.Slots slots;
    private final Composition composition;
    private final boolean isVolatile; // topics keep nothing, and there are no dead letters
    private Arrivals.Journal journal; // null while detached, like the next one
    private Arrivals.Journal rejects; // of a composed chain
    private long life; // tells one start of the receiver from others

    ChaosReceiver(Plan plan) {
        super(plan);
        provided = plan.numbers();
        slots = new ProvidedNumbers.Slots(plan.baseNanos(), plan.intervalNanos());
        composition = new Composition(plan.services());
        isVolatile = plan.subject().transport().equals(SetUp.AERON.transport);
    }

    /** The journal of rejected messages. @param journal that of the chain's output */
    static Path rejects(Path journal) {
        return journal.resolveSibling(journal.getFileName() + "-rejects");
    }

    @Override
    RunningChain start(Transport transport, Loops loops, Consumer<Throwable> onFailure) {
        journal = new Arrivals.Journal(Path.of(plan.journal()));
        life = System.nanoTime();
        if (plan.role() != Role.MERGED_RECEIVER) {
            return deployment(transport, loops, onFailure)
                    .onOutput(this::onOutput)
                    .start();
        }
        rejects = new Arrivals.Journal(rejects(Path.of(plan.journal())));
        return Chain.tap(CONSUMER, composition.merge.topic())
                .on(transport)
                .with(loops)
                .onFailure(onFailure)
                .onOutput(this::onMerged)
                .start();
    }

    private void onOutput(Message in) throws IOException {
        if (plan.role() == Role.RESULT_RECEIVER) {
            takeResult(in);
        } else if (provided == null) {
            takeSum(in);
        } else {
            long origin = in.originNanos();
            long number = slots.number(origin);
            note(journal, number, number, origin, provided.isWhole(number, in));
        }
    }

    private void onMerged(Message in) throws IOException {
        if (composition.merge.inputOf(in).equals(composition.output())) {
            takeSum(in);
        } else {
            boolean isReadable = in.length() == NumberedMessage.BYTES;
            long number = isReadable ? NumberedMessage.number(in::getLong) : 0;
            long sentNanos = isReadable ? NumberedMessage.sentNanos(in::getLong) : 0;
            boolean isWhole = NumberedMessage.isWhole(in::getLong, in.length(), plan.seed());
            note(rejects, number, number, sentNanos, isWhole);
        }
    }

    /** Takes a result of a window. */
    private void takeResult(Message in) throws IOException {
        boolean isWhole =
                in.length() == StatefulWindow.RESULT_BYTES && WindowResults.isResult(in.type(), in.getLong(0));
        long number = isWhole ? WindowResults.number(in.type(), StatefulWindow.key(in.getLong(0))) : 0;
        note(journal, number, number, in.originNanos(), isWhole);
    }

    private void takeSum(Message in) throws IOException {
        boolean isReadable = in.length() >= SumOfNumbers.BYTES;
        note(
                journal,
                isReadable ? SumOfNumbers.first(in::getLong) : 0,
                isReadable ? NumberedMessage.number(in::getLong) : 0,
                isReadable ? NumberedMessage.sentNanos(in::getLong) : 0,
                isSum(in));
    }

    /** Returns whether a sum is right; where no topic is audited, also whether it has each number once. */
    private boolean isSum(Message in) {
        return SumOfNumbers.isWhole(in::getLong, in.length()) && (!isVolatile || SumOfNumbers.isOfAll(in::getLong));
    }

    private void note(Arrivals.Journal into, long first, long number, long sentNanos, boolean isWhole)
            throws IOException {
        into.add(new Arrivals.Arrival(first, number, sentNanos, System.nanoTime(), life, isWhole));
    }

    @Override
    void detach() {
        CloseHelper.quietCloseAll(journal, rejects); // every record was written when it was added
        journal = null;
        rejects = null;
    }
}
