package dev.baton.benchmark.command;

import dev.baton.benchmark.plan.Observers;
import dev.baton.benchmark.plan.Observers.Stages;
import java.math.BigDecimal;
import picocli.CommandLine.Option;

/** What a trial watches itself with: options of every command whose trials are planned beforehand. */
final class ObserverOptions {
    private static final String ON = "on";
    private static final String OFF = "off";
    private static final String AUTO = "auto";

    @Option(
            names = "--tail",
            paramLabel = "P",
            defaultValue = "99.9",
            converter = NumberConverter.class,
            description = "messages above this percentile are joined with what they lived through, 50 to 99.9999"
                    + " (default: 99.9)")
    private BigDecimal tail;

    @Option(
            names = "--stages",
            paramLabel = "WHEN",
            defaultValue = AUTO,
            description = "whether services time where on its way a message is: on, off, or auto, which is on for one"
                    + " chain at a rate (default: auto)")
    private String stages;

    @Option(
            names = "--observers",
            paramLabel = "on|off",
            defaultValue = ON,
            description = "off: no probe, no log of the JVM's pauses, no time line, to see what they cost; such a trial"
                    + " never passes (default: on)")
    private String observers;

    /** As typed; null: as usual. */
    Observers observers() {
        Checks.require(
                tail.doubleValue() >= Observers.LEAST_TAIL && tail.doubleValue() <= Observers.MOST_TAIL,
                "--tail " + tail.toPlainString() + " is out of range; 50 to 99.9999");
        Checks.require(
                observers.equals(ON) || observers.equals(OFF),
                "--observers '" + observers + "' is not known; on or off");
        Observers typed = new Observers(observers.equals(ON), tail.doubleValue(), stages());
        return typed.equals(Observers.USUAL) ? null : typed;
    }

    private Stages stages() {
        return switch (stages) {
            case AUTO -> Stages.AUTO;
            case ON -> Stages.ON;
            case OFF -> Stages.OFF;
            default -> {
                Checks.require(false, "--stages '" + stages + "' is not known; auto, on or off");
                yield Stages.AUTO;
            }
        };
    }
}
