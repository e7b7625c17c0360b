package dev.baton.disruptor;

import dev.baton.spi.Guarantee;
import dev.baton.spi.OptionSpec;
import dev.baton.spi.Transport;
import dev.baton.spi.TransportProvider;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds the {@link DisruptorTransport} by its name. Thread-safe. */
public final class DisruptorProvider implements TransportProvider {
    static final String NAME = "disruptor";

    /** Of the library that sequences the rings; its jar tells its version only to those who unpack it. */
    static final String LIBRARY_VERSION = "4.0.0";

    /** For the service loader. */
    public DisruptorProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String summary() {
        return "rings of byte slots in memory, sequenced by the LMAX Disruptor " + LIBRARY_VERSION;
    }

    @Override
    public Set<Guarantee> guarantees() {
        return DisruptorTransport.GUARANTEES;
    }

    @Override
    public List<OptionSpec> options() {
        return DisruptorOptions.SPECS;
    }

    @Override
    public Transport open(Map<String, String> options) {
        return DisruptorTransport.create(DisruptorOptions.parse(options));
    }
}
