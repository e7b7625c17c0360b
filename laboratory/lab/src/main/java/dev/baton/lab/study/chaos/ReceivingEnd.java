package dev.baton.lab.study.chaos;

import dev.baton.Message;
import dev.baton.RunningChain;
import dev.baton.lab.study.window.StatefulWindow;
import dev.baton.operations.service.SumOfNumbers;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/** The receiver: notes every message that comes out before it is consumed. Threads as its parent. */
class ReceivingEnd extends ChainEnd {
    private final ProvidedNumbers provided; // null: sums of numbered messages, or results of a window
    private final ProvidedNumbers.Slots slots;
    private Arrivals.Journal journal; // null while detached
    private long life; // another after each start

    ReceivingEnd(Plan plan) {
        super(plan);
        provided = plan.numbers();
        slots = new ProvidedNumbers.Slots(plan.baseNanos(), plan.intervalNanos());
    }

    @Override
    RunningChain start(Transport transport, Loops loops, Consumer<Throwable> onFailure) {
        begin();
        return deployment(transport, loops, onFailure).onOutput(this::onOutput).start();
    }

    /** Opens the journal for another life. */
    final void begin() {
        journal = journal(plan.journal());
        life = System.nanoTime();
    }

    static Arrivals.Journal journal(String file) {
        try {
            return Arrivals.Journal.at(Path.of(file));
        } catch (IOException failed) {
            throw new UncheckedIOException("the journal cannot be opened", failed);
        }
    }

    /** Tells this life of the receiver from others. */
    final long life() {
        return life;
    }

    private void onOutput(Message in) throws IOException {
        if (plan.role() == Role.RESULT_RECEIVER) {
            takeResult(in);
        } else if (provided == null) {
            take(in);
        } else {
            long origin = in.originNanos();
            long number = slots.number(origin);
            note(number, number, origin, provided.isWhole(number, in));
        }
    }

    /** Of a window. */
    private void takeResult(Message in) throws IOException {
        boolean isWhole =
                in.length() == StatefulWindow.RESULT_BYTES && WindowResults.isResult(in.type(), in.getLong(0));
        long number = isWhole ? WindowResults.number(in.type(), StatefulWindow.key(in.getLong(0))) : 0;
        note(number, number, in.originNanos(), isWhole);
    }

    final void take(Message in) throws IOException {
        boolean isReadable = in.length() >= SumOfNumbers.BYTES;
        note(
                isReadable ? SumOfNumbers.first(in::getLong) : 0,
                isReadable ? NumberedMessage.number(in::getLong) : 0,
                isReadable ? NumberedMessage.sentNanos(in::getLong) : 0,
                SumOfNumbers.isWhole(in::getLong, in.length()));
    }

    /** Adds what has come out to the journal. */
    private void note(long first, long number, long sentNanos, boolean isWhole) throws IOException {
        journal.add(new Arrivals.Arrival(first, number, sentNanos, System.nanoTime(), life, isWhole));
    }

    @Override
    void detach() {
        close(journal);
        journal = null;
    }

    static void close(Arrivals.Journal journal) {
        if (journal != null) {
            try {
                journal.close();
            } catch (IOException left) {
                // every record was written when it was added
            }
        }
    }
}
