package dev.baton.chronicle.platform;

import dev.baton.spi.TransportException;
import java.text.DecimalFormatSymbols;
import java.util.Locale;
import net.openhft.posix.PosixAPI;

/**
 * The check that Chronicle's system calls work, which a native library makes.
 *
 * <p>Without it Chronicle fails at the first topic, with other words. The library, jffi, formats the name of its file in the
 * JVM's default locale: with digits other than 0 to 9 it does not find that file. A JVM in which this has failed once cannot
 * load it any more, in whatever locale. Stateless.
 */
public final class NativeCalls {
    private static final long LIBRARY_BYTES = 1 << 20; // more than the library takes

    private NativeCalls() {}

    /** @throws TransportException saying why they do not work, and what to do */
    public static void check() {
        try {
            PosixAPI.posix().getpid();
        } catch (RuntimeException | LinkageError missing) {
            throw new TransportException(
                    "Chronicle Queue cannot work in this JVM, as its native library (jffi) was not loaded: "
                            + reason(Locale.getDefault(Locale.Category.FORMAT), missing),
                    missing);
        }
    }

    /** The library writes a file of its own into the directory for temporary files. */
    private static String limit() {
        long limit = FileSizeLimit.bytes();
        return limit < LIBRARY_BYTES ? "; " + FileSizeLimit.text(limit) : "";
    }

    private static String reason(Locale locale, Throwable missing) {
        char zero = DecimalFormatSymbols.getInstance(locale).getZeroDigit();
        return zero == '0'
                ? missing.getMessage() + limit()
                : "it does not find its file in the locale " + locale + ", which writes numbers with the digits " + zero
                        + " to " + (char) (zero + 9)
                        + "; start the JVM with -Duser.language.format=en before -jar or the main"
                        + " class; the environment variable JDK_JAVA_OPTIONS takes it, too";
    }
}
