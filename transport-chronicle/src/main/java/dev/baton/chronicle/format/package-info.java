/**
 * The file format of Chronicle Queue {@value dev.baton.chronicle.format.QueueFormat#VERSION}, as far as Baton reads, checks or
 * repairs files without the library, and the layout of the excerpts that Baton stores. Internal; the other packages call it,
 * mostly through {@link dev.baton.chronicle.format.QueueFormat}, which does nothing where the library writes another format.
 * It uses the JDK, the SPI and the library, and no other package of the module.
 *
 * <p>To move to another version, change {@link dev.baton.chronicle.format.QueueFormat#VERSION}: QueueFormatTest then compares
 * what that library writes with what this package reads, field by field.
 */
package dev.baton.chronicle.format;
