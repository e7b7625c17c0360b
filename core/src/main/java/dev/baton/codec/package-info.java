/** Typed payloads on top of bytes. */
package dev.baton.codec;
