/** Tests of the chains of an application, without the rest of it. */
package dev.baton.spring.test;
