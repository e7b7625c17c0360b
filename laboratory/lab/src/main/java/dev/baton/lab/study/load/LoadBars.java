package dev.baton.lab.study.load;

import dev.baton.lab.study.load.LoadFindings.Bar;
import dev.baton.operations.terminal.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A histogram drawn with characters, a bar for each range of service times. Stateless, thread-safe. */
final class LoadBars {
    private static final int NARROWEST = 10;

    private LoadBars() {}

    /** One line for each bar, none wider than the width. */
    static List<String> lines(List<LoadFindings.Bar> bars, int width) {
        long most = bars.stream().mapToLong(Bar::count).max().orElse(0);
        int digits = bars.stream()
                .mapToInt(bar -> Units.count(bar.count()).length())
                .max()
                .orElse(1);
        List<String> lines = new ArrayList<>();
        for (Bar bar : bars) {
            String label = String.format(
                    Locale.ROOT,
                    "  up to %8s  %" + digits + "s  ",
                    Units.time(bar.toNanos()),
                    Units.count(bar.count()));
            int room = Math.max(NARROWEST, width - label.length());
            lines.add((label + "#".repeat(length(bar.count(), most, room))).stripTrailing());
        }
        return lines;
    }

    /** Whatever was counted is seen. */
    static int length(long count, long most, int room) {
        return count == 0 ? 0 : (int) Math.max(1, Math.round(count / (double) most * room));
    }
}
