/** Three systems that the laboratory measures as {@code --engine system:NAME}: to copy for systems of your own. */
package dev.baton.examples.systems;
