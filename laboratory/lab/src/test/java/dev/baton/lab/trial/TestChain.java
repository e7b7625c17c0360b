package dev.baton.lab.trial;

import dev.baton.Chain;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;
import dev.baton.chains.ProvidedChain;
import dev.baton.chains.ProvidedChain.MessageGenerator;
import dev.baton.chains.ProvidedChain.OutputCheck;
import java.util.function.Supplier;

/**
 * A chain of two services, the second of which a test gives. An input holds its number and is one byte longer than eight
 * for each third number; an output begins with the number of its input and its place among that one's outputs.
 *
 * @param service the second one
 * @param generator of every instance
 * @param check of every instance
 */
record TestChain(Outputs outputs, Supplier<Service> service, MessageGenerator generator, OutputCheck check)
        implements ProvidedChain {
    static final int INPUT_BYTES = 8;
    static final int OUTPUT_BYTES = 12;

    static final MessageGenerator NUMBERS = (number, into) -> {
        into.putLong(0, number);
        return INPUT_BYTES + (number % 3 == 0 ? 1 : 0);
    };

    /** Forwards what it gets, as the first service does. */
    static TestChain forwarding(MessageGenerator generator, OutputCheck check) {
        return new TestChain(Outputs.ONE_EACH, () -> (in, out) -> out.forward(in), generator, check);
    }

    /** A chain whose second service sends so many outputs for an input. */
    static TestChain of(Outputs kind, Counts counts) {
        return new TestChain(kind, () -> sending(counts), NUMBERS, check(counts));
    }

    /** How many outputs an input leads to. */
    @FunctionalInterface
    interface Counts {
        int of(long number);
    }

    static Service sending(Counts counts) {
        return new Service() {
            @Override
            public int maxOutputs() {
                return 4;
            }

            @Override
            public void onMessage(Message in, Outlet out) {
                long number = in.getLong(0);
                for (int i = 0; i < counts.of(number); i++) {
                    send(out, number, i);
                }
            }
        };
    }

    static void send(Outlet out, long number, int index) {
        out.claim(OUTPUT_BYTES).putLong(0, number).putInt(8, index).type(7).commit(OUTPUT_BYTES);
    }

    static OutputCheck check(Counts counts) {
        return new OutputCheck() {
            @Override
            public int outputs(long number) {
                return counts.of(number);
            }

            @Override
            public String fault(long number, int index, Message output) {
                return output.getLong(0) == number && output.getInt(8) == index
                        ? null
                        : "output " + output.getInt(8) + " of " + output.getLong(0);
            }
        };
    }

    @Override
    public Chain chain() {
        return Chain.named("test")
                .then("first", () -> (in, out) -> out.forward(in))
                .then("second", service)
                .build();
    }

    @Override
    public int maxPayload() {
        return 32;
    }

    @Override
    public MessageGenerator generator(long seed, int instance) {
        return generator;
    }

    @Override
    public OutputCheck check(long seed, int instance) {
        return check;
    }
}
