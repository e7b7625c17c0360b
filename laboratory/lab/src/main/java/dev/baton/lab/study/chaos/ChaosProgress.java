package dev.baton.lab.study.chaos;

import dev.baton.lab.results.PrivateFile;
import dev.baton.lab.study.chaos.audit.Account;
import dev.baton.lab.study.chaos.storage.StorageFaultOutcome;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.Console;
import dev.baton.operations.terminal.Units;
import dev.baton.operations.terminal.Wrapped;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Prints a line for each fault as it happens, and keeps what the processes say in a file, readable by its owner alone.
 * Thread-safe.
 */
public final class ChaosProgress implements AutoCloseable {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);
    private static final String FILE = "processes.log";

    private final Console console;
    private final PrintWriter log;
    private int faults;

    ChaosProgress(Console console, Path folder) {
        this.console = console;
        log = CommandException.guarded("cannot write to " + folder, () -> {
            Path file = folder.resolve(FILE);
            PrivateFile.write(file, "");
            return new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8));
        });
    }

    public void began(ChaosPlan plan) {
        faults = plan.faults();
        if (plan.kinds().get(0).isOfStorage()) {
            console.complain(plan.setUp().name() + ": " + faults + " faults of storage");
            return;
        }
        console.complain(plan.setUp().name() + ": " + plan.services() + " services, "
                + (plan.isComposed() ? "a branch and a merge, " : "")
                + (plan.hasWindow() ? "one of them a window, " : "") + Units.rate(plan.rate()) + " msg/s, "
                + Units.counted(faults, "fault"));
    }

    void injected(SetUp setUp, InjectedFault.Outcome outcome) {
        String line = ChaosReport.line(outcome, faults);
        print(line);
        said(setUp, "fault", line.strip());
    }

    /** Prints a fault of storage that failed, and how many there were so far; all are in the file. */
    public void injected(SetUp setUp, StorageFaultOutcome fault) {
        said(setUp, "fault", fault.toString());
        if (fault.outcome().isFailure()) {
            console.complain("  " + fault);
        } else if (fault.number() % 100 == 0) {
            console.complain("  " + fault.number() + "/" + faults);
        }
    }

    void audited(Account account) {
        print(ChaosReport.line(account));
    }

    private void print(String line) {
        Wrapped.lines("  ", line.strip(), console.terminal().columns()).forEach(console::complain);
    }

    public synchronized void said(SetUp setUp, String process, String line) {
        log.println(TIME.format(LocalTime.now()) + " " + setUp.name() + " " + process + " | " + line);
        log.flush();
    }

    @Override
    public synchronized void close() {
        log.close();
    }
}
