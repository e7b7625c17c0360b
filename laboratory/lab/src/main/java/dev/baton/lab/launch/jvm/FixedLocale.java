package dev.baton.lab.launch.jvm;

import java.util.Map;

/**
 * The locale of the processes that the laboratory starts: what they write has a decimal point, digits 0 to 9 and English
 * words, whatever the user's locale. Only the encoding of names and arguments stays the user's. Stateless, thread-safe.
 */
public final class FixedLocale {
    private static final String ALL = "LC_ALL";
    private static final String ENCODING = "LC_CTYPE";
    private static final String DEFAULT = "LANG";
    private static final String MESSAGES = "LANGUAGE";

    private FixedLocale() {}

    /**
     * Sets the locale.
     *
     * @param environment of a process that is to be started
     */
    public static void apply(Map<String, String> environment) {
        String encoding = firstSet(environment, ALL, ENCODING, DEFAULT);
        environment.keySet().removeIf(name -> name.startsWith("LC_") || name.equals(DEFAULT) || name.equals(MESSAGES));
        environment.put(DEFAULT, "C");
        if (encoding != null) {
            environment.put(ENCODING, encoding);
        }
    }

    private static String firstSet(Map<String, String> environment, String... names) {
        for (String name : names) {
            String value = environment.get(name);
            if (value != null && !value.isEmpty()) {
                return value;
            }
        }
        return null;
    }
}
