package dev.baton.lab;

import dev.baton.kafka.embedded.BrokerCluster;
import dev.baton.kafka.embedded.BrokerProcessOptions;
import dev.baton.lab.command.Workbench;
import dev.baton.lab.launch.FakeTrial;
import dev.baton.lab.launch.FakeTrialHost;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.CommandLines;
import dev.baton.operations.line.Console;
import dev.baton.operations.line.Interruption;
import dev.baton.operations.line.KnownTransports;
import dev.baton.operations.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/** The command line over transports that carry nothing: {@code plain}, {@code filing}, and {@code remote}. */
public final class FakeLaboratory {
    private static final KnownTransports KNOWN = KnownTransports.of(List.of(
            new FakeProvider("plain", false, false),
            new FakeProvider("filing", true, false),
            new FakeProvider("remote", false, true)));

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final KnownTransports known;
    private final Class<?> childMain;
    private int columns = 100;

    FakeLaboratory(Class<?> childMain) {
        this(KNOWN, childMain);
    }

    private FakeLaboratory(KnownTransports known, Class<?> childMain) {
        this.known = known;
        this.childMain = childMain;
    }

    /** Over those that are on the class path. */
    public static FakeLaboratory withRealTransports(Class<?> childMain) {
        return over(KnownTransports.onClassPath(), childMain);
    }

    /** Over others than its own. */
    static FakeLaboratory over(KnownTransports known, Class<?> childMain) {
        return new FakeLaboratory(known, childMain);
    }

    /** As a process of its own, for signals: what it does is printed, and its children wait until they are stopped. */
    public static void main(String[] arguments) {
        Interruption interruption = Interruption.ofThisProcess();
        Console console = new Console(
                new PrintWriter(System.out), new PrintWriter(System.err), new Terminal(false, false, 100, false));
        Workbench bench =
                new Workbench(KNOWN, FakeLaboratory::noBroker, FakeTrialHost.program(FakeTrial.class), interruption);
        interruption.exit(CommandLines.execute(Laboratory.commandLine(console, bench, arguments), console, arguments));
    }

    /** Returns this laboratory, writing to a terminal of this width. */
    FakeLaboratory columns(int count) {
        columns = count;
        return this;
    }

    public int run(String... arguments) {
        Console console =
                new Console(new PrintWriter(out), new PrintWriter(err), new Terminal(false, false, columns, false));
        Workbench bench =
                new Workbench(known, FakeLaboratory::noBroker, FakeTrialHost.program(childMain), new Interruption());
        return CommandLines.execute(Laboratory.commandLine(console, bench, arguments), console, arguments);
    }

    public String out() {
        return out.toString();
    }

    public String err() {
        return err.toString();
    }

    /** Lines of standard error that are no progress. */
    List<String> complaints() {
        return err().lines()
                .filter(line -> line.startsWith("baton: ") || line.startsWith("\t"))
                .toList();
    }

    private static BrokerCluster noBroker(Path directory, int count, UnaryOperator<BrokerProcessOptions> further) {
        throw CommandException.environment("remote: no broker here");
    }
}
