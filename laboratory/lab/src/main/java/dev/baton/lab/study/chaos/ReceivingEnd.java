package dev.baton.lab.study.chaos;

import dev.baton.Deployment;
import dev.baton.Message;
import dev.baton.RunningChain;
import dev.baton.operations.service.SumOfNumbers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/** The receiver: notes every message that comes out before it is consumed. Threads as its parent. */
final class ReceivingEnd extends ChainEnd {
    /** Part of the line that says that it is ready. */
    static final String READY = "receives";

    private final ProvidedNumbers provided; // null: sums of numbered messages
    private final ProvidedNumbers.Slots slots;
    private Arrivals.Journal journal; // null while detached
    private long scenario;
    private boolean hasBegun;

    ReceivingEnd(Plan plan) {
        super(plan);
        provided = plan.numbers();
        slots = new ProvidedNumbers.Slots(plan.baseNanos(), plan.intervalNanos());
    }

    @Override
    Deployment attach(Deployment chain) {
        try {
            journal = Arrivals.Journal.at(Path.of(plan().journal()));
        } catch (IOException failed) {
            throw new UncheckedIOException("the journal cannot be opened", failed);
        }
        scenario = System.nanoTime();
        hasBegun = false;
        return chain.onOutput(provided == null ? this::take : this::takeProvided);
    }

    private void take(Message in) throws IOException {
        boolean isReadable = in.length() >= SumOfNumbers.BYTES;
        boolean isWhole = SumOfNumbers.isWhole(in::getLong, in.length());
        journal.add(new Arrivals.Arrival(
                isReadable ? SumOfNumbers.first(in::getLong) : 0,
                isReadable ? NumberedMessage.number(in::getLong) : 0,
                isReadable ? NumberedMessage.sentNanos(in::getLong) : 0,
                System.nanoTime(),
                scenario,
                isWhole));
    }

    private void takeProvided(Message in) throws IOException {
        long origin = in.originNanos();
        long number = slots.number(origin);
        boolean isWhole = provided.isWhole(number, in);
        journal.add(new Arrivals.Arrival(number, number, origin, System.nanoTime(), scenario, isWhole));
    }

    @Override
    void tell(RunningChain running, Consumer<String> say) {
        if (!hasBegun) {
            hasBegun = true;
            say.accept(READY);
        }
    }

    @Override
    void detach() {
        if (journal != null) {
            try {
                journal.close();
            } catch (IOException left) {
                // every record was written when it was added
            }
            journal = null;
        }
    }
}
