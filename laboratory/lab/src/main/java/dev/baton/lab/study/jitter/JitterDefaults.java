package dev.baton.lab.study.jitter;

import dev.baton.lab.command.ChangedDefaults;
import java.util.Map;

/** Where {@code baton jitter} differs from the other commands: it runs three times as long. Stateless, thread-safe. */
final class JitterDefaults extends ChangedDefaults {
    public JitterDefaults() {
        super(Map.of("--duration", "100s"));
    }
}
