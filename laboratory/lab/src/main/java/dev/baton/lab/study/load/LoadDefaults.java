package dev.baton.lab.study.load;

import dev.baton.lab.command.ChangedDefaults;
import java.util.Map;

/** Where {@code load} has other defaults than the commands that it shares options with. Stateless, thread-safe. */
final class LoadDefaults extends ChangedDefaults {
    public LoadDefaults() {
        super(Map.of("--warmup", "5s", "--duration", "10s"));
    }
}
