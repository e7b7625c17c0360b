package dev.baton.lab.study.load;

import java.util.Map;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Where {@code load} has other defaults than the commands that it shares options with. Stateless, thread-safe. */
final class LoadDefaults implements IDefaultValueProvider {
    private static final Map<String, String> DEFAULTS = Map.of("--warmup", "5s", "--duration", "10s");

    @Override
    public String defaultValue(ArgSpec option) {
        return option instanceof OptionSpec named ? DEFAULTS.get(named.longestName()) : null;
    }
}
