package dev.baton.lab.command;

import dev.baton.lab.results.StudyKind;
import dev.baton.operations.line.Console;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** A study whose trials can be planned before they run, so that a matrix can be made of it: a role of its kind. */
public interface MeasuredStudy extends CommandSource {
    /** Makes its command, which has the kind's name. */
    BiFunction<Console, Workbench, MeasuringCommand> command();

    @Override
    default List<Maker> commands() {
        return List.of(command()::apply);
    }

    /** Makes the commands of all such studies, by name. */
    static Map<String, Supplier<MeasuringCommand>> all(Console console, Workbench bench) {
        Map<String, Supplier<MeasuringCommand>> all = new LinkedHashMap<>();
        StudyKind.all(MeasuredStudy.class)
                .forEach(study -> all.put(study.name(), () -> study.command().apply(console, bench)));
        return all;
    }
}
