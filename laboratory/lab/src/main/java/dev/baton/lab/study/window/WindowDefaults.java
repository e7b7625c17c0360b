package dev.baton.lab.study.window;

import java.util.Map;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Where {@code window} runs longer than the commands that it shares options with. Stateless, thread-safe. */
final class WindowDefaults implements IDefaultValueProvider {
    private static final Map<String, String> VALUES = Map.of("--warmup", "20s", "--duration", "240s");

    @Override
    public String defaultValue(ArgSpec argument) {
        return argument instanceof OptionSpec option ? VALUES.get(option.longestName()) : null;
    }
}
