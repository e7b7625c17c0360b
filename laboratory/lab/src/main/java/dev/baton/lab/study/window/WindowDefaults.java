package dev.baton.lab.study.window;

import dev.baton.lab.command.ChangedDefaults;
import java.util.Map;

/** Where {@code window} runs longer than the commands that it shares options with. Stateless, thread-safe. */
final class WindowDefaults extends ChangedDefaults {
    public WindowDefaults() {
        super(Map.of("--warmup", "20s", "--duration", "240s"));
    }
}
