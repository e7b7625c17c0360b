/** {@code baton verify}: checks of whole topics, read from outside. */
package dev.baton.operations.verify;
