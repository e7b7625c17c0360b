package dev.baton.lab.trial;

import dev.baton.chains.ProvidedChain;
import dev.baton.chains.ProvidedChain.Outputs;
import dev.baton.operations.chains.UnlistedChain;
import java.util.Map;

/** The chain {@code many-outputs}, which sends {@value #OUTPUTS} outputs for each input. Thread-safe. */
public final class ManyOutputsProvider implements UnlistedChain {
    static final int OUTPUTS = 4;

    @Override
    public String name() {
        return "many-outputs";
    }

    @Override
    public String summary() {
        return "four outputs for each input";
    }

    @Override
    public ProvidedChain open(Map<String, String> options) {
        return TestChain.of(Outputs.ANY, number -> OUTPUTS);
    }
}
