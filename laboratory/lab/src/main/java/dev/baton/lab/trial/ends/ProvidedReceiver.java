package dev.baton.lab.trial.ends;

import dev.baton.Message;
import dev.baton.OutputHandler;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Incident.Kind;
import dev.baton.lab.trial.ends.Instruments.Meters;
import dev.baton.measuring.Counter;
import dev.baton.measuring.DeliveryAccount.Arrival;
import dev.baton.measuring.PayloadPattern;
import dev.baton.measuring.SendDelay;
import java.util.HashMap;
import java.util.Map;

/**
 * Takes the outputs of one instance of a chain that a jar provides: accounts for their inputs, checks each, and records its latency.
 *
 * <p>An input has arrived when the last of its outputs has; one without outputs counts as arrived, and as filtered, when a later one has.
 * Outputs of an input are distinguished by their content, in the order in which the provider counts them.
 *
 * <p>Its threads are those of its parent.
 */
final class ProvidedReceiver extends Receiver implements OutputHandler {
    /** Outputs of one input: a bit each. */
    static final int MOST_OUTPUTS = Long.SIZE;

    /** The greatest number of consecutive messages without an output; beyond, an output is still found by its origin. */
    private static final int MOST_FILTERED = 1_024;

    private final ProvidedMessages messages;
    private final Map<Long, Long> partial = new HashMap<>(); // outputs that came of inputs that others have overtaken
    private final Counter filtered = new Counter();
    private long partNumber = -1; // of the input that outputs are coming of
    private long partMask; // those that have come of it
    private boolean isPart; // what came last is a new output, and not the last one of its input

    ProvidedReceiver(int instance, TrialPlan plan, ProvidedMessages messages, Meters meters, ArrivalListener listener) {
        super(instance, plan.load(), plan.shape(), new PayloadPattern(0, 0), meters, listener);
        this.messages = messages;
    }

    @Override
    Recognition recognition() {
        return load.isSaturated() ? new Recognition.ByNote(messages, window) : super.recognition();
    }

    @Override
    public void onOutput(Message in) {
        long now = clock.nanoTime();
        long origin = in.originNanos();
        if (recognition == null) {
            begin(now, origin);
        }
        long number = recognition.numberOf(origin, 0, expected(), now);
        if (number < 0) {
            corrupted(account.next(), "its origin is not a message of this instance");
            return;
        }
        int outputs = outputs(number);
        if (outputs == 0) {
            corrupted(number, "it leads to no output, but one arrived");
            return;
        }
        if (in.servicesPassed() != services) {
            corrupted(number, in.servicesPassed() + " hops instead of " + services);
        }
        boolean isWhole = outputs == 1 ? tryEnter(number, in) : tryComplete(number, outputs, in);
        if (isWhole || isPart) {
            long sendDelay = load.isSaturated() ? 0 : SendDelay.decode(messages.tagOf(number));
            enter(number, origin, now, sendDelay, isWhole);
        }
    }

    /** The next number that an output is due of. */
    private long expected() {
        long number = account.next();
        while (!messages.isOneEach && number - account.next() < MOST_FILTERED && outputs(number) == 0) {
            number++;
        }
        return number;
    }

    /** Enters the only output of an input. */
    private boolean tryEnter(long number, Message in) {
        isPart = false;
        String fault = fault(number, 0, in);
        if (fault != null) {
            corrupted(number, fault);
        }
        return arrived(number);
    }

    /** Enters one of several outputs of an input. @return whether it was the last one */
    private boolean tryComplete(long number, int outputs, Message in) {
        isPart = false;
        if (!account.isMissing(number)) {
            return arrived(number);
        }
        switchTo(number);
        int index = indexOf(number, outputs, in);
        if ((partMask & 1L << index) != 0) {
            account.duplicated();
            note(number, Kind.DUPLICATED, "output " + (index + 1) + " had arrived before");
            return false;
        }
        partMask |= 1L << index;
        if (Long.bitCount(partMask) < outputs) {
            isPart = true;
            return false;
        }
        partNumber = -1;
        return arrived(number);
    }

    private void switchTo(long number) {
        if (number == partNumber) {
            return;
        }
        if (partNumber >= 0) {
            partial.put(partNumber, partMask);
        }
        Long before = partial.isEmpty() ? null : partial.remove(number);
        partNumber = number;
        partMask = before == null ? 0 : before;
    }

    /** Returns the index of an output of its input: the next one if its content is right, else the one with that content. */
    private int indexOf(long number, int outputs, Message in) {
        int next = Long.numberOfTrailingZeros(~partMask);
        String fault = fault(number, next, in);
        if (fault == null) {
            return next;
        }
        for (int other = 0; other < outputs; other++) {
            if (other != next && fault(number, other, in) == null) {
                return other;
            }
        }
        corrupted(number, "output " + (next + 1) + ": " + fault);
        return next;
    }

    /** Enters that all outputs of an input have come. @return false for one of which they had come before */
    private boolean arrived(long number) {
        passFiltered(number);
        Arrival arrival = account.arrived(number);
        if (arrival == Arrival.DUPLICATE) {
            note(number, Kind.DUPLICATED, "it had arrived before");
            return false;
        }
        if (arrival == Arrival.REORDERED) {
            note(number, Kind.REORDERED, "message " + account.next() + " had arrived before it");
        }
        messages.passed(account.next());
        return true;
    }

    /** Enters the inputs before a number that lead to no output. */
    private void passFiltered(long end) {
        if (messages.isOneEach) {
            return;
        }
        for (long number = account.next(); number < end; number++) {
            if (outputs(number) == 0) {
                account.arrived(number);
                filtered.increment();
            }
        }
    }

    private int outputs(long number) {
        if (messages.isOneEach) {
            return 1;
        }
        String fault;
        try {
            int outputs = messages.check.outputs(number);
            if (outputs >= 0 && outputs <= MOST_OUTPUTS) {
                return outputs;
            }
            fault = outputs + "; 0 to " + MOST_OUTPUTS + " are allowed";
        } catch (RuntimeException | LinkageError thrown) {
            fault = thrown.toString();
        }
        corrupted(number, "the check of chain " + messages.chain + " answers outputs(" + number + ") with " + fault);
        return 1;
    }

    private String fault(long number, int index, Message in) {
        try {
            return messages.check.fault(number, index, in);
        } catch (RuntimeException | LinkageError thrown) {
            return "the check of chain " + messages.chain + " threw " + thrown;
        }
    }

    @Override
    boolean isAnswered(long sent) {
        return receivedCount() >= messages.answerableCount();
    }

    @Override
    public void passAll(long sent) {
        passFiltered(sent);
        switchTo(-1);
    }

    @Override
    public long filteredCount() {
        return filtered.count();
    }

    @Override
    String missingDetail(long first, long last) {
        Long came = partial.get(first);
        return came == null || first != last
                ? super.missingDetail(first, last)
                : Long.bitCount(came) + " of its " + outputs(first) + " outputs arrived";
    }
}
