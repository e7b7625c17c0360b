package dev.baton.operations.line;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The heading under which the help of a command with many options prints an option, or all options of a class. Options without this
 * annotation are expert options, which only {@code --help-all} prints. The first line of an option's description is its summary, which
 * {@code --help} prints; {@code --help-all} prints all lines.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.TYPE})
public @interface OptionGroup {
    Heading value();

    /** The headings, in the order of the help. */
    enum Heading {
        RUNS("What runs"),
        LOAD("Load"),
        WHERE("Where"),
        JVM("JVM"),
        OUTPUT("Output"),
        EXPERT("Expert");

        private final String title;

        Heading(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }
    }
}
