/** Payloads in JSON, by Jackson. */
package dev.baton.jackson;
