/** Services of a chain in a separate process: run, monitored, opened again when their transport recovers. */
package dev.baton.operations.service;
