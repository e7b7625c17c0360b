/**
 * The reader of a topic, and the search for the position that it starts at. Internal; connections call it. It uses
 * {@code consumers}, {@code log}, {@code format} and {@code platform}.
 */
package dev.baton.chronicle.reading;
