package dev.baton.lab.trial;

import dev.baton.spi.Guarantee;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportProvider;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.options.OptionSpec;
import dev.baton.spi.options.Options;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Opens {@link LossyTransport}, which loses or alters a frame on request. Stateless. */
public final class LossyProvider implements TransportProvider {
    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String summary() {
        return "topics in memory, for tests";
    }

    @Override
    public Set<Guarantee> guarantees() {
        return EnumSet.of(Guarantee.IMMEDIATE, Guarantee.DURABLE, Guarantee.EXCLUSIVE, Guarantee.CROSS_PROCESS);
    }

    @Override
    public List<OptionSpec> options() {
        return List.of(
                new OptionSpec("lose", "0", "a sequence, 0 for none", "which frame of the first topic disappears"),
                new OptionSpec("alter", "0", "a sequence, 0 for none", "which frame's payload changes underway"),
                new OptionSpec("down", "false", "true, false", "whether the broker does not answer"));
    }

    @Override
    public Transport open(Map<String, String> given) {
        Options options = new Options(name(), options(), given);
        if (options.flag("down")) {
            throw new TransportException("no answer from memory:1 within 1 s");
        }
        return new LossyTransport(options.integer("lose", 0, 1_000_000), options.integer("alter", 0, 1_000_000));
    }
}
